export const MANIFEST_FILE = 'manifest.json'

/** The last entry of a backup: what the others must be. */
export interface BackupManifest {
  readonly format: 1
  readonly createdAt: string
  readonly postgresVersion: string
  readonly files: Readonly<Record<string, string>>
}

export function parseManifest(text: string): BackupManifest {
  const parsed: unknown = JSON.parse(text)
  if (!isManifest(parsed)) {
    throw new Error('The manifest of this backup is not one that this Merlon can read.')
  }
  return parsed
}

function isManifest(value: unknown): value is BackupManifest {
  if (typeof value !== 'object' || value === null) return false
  const { format, createdAt, postgresVersion, files } = value as Partial<BackupManifest>
  return (
    format === 1 &&
    typeof createdAt === 'string' &&
    typeof postgresVersion === 'string' &&
    typeof files === 'object' &&
    files !== null &&
    Object.values(files).every((hash) => typeof hash === 'string')
  )
}

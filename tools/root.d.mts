/** The folder of the repository. */
export const root: string
export function isMain(metaUrl: string): boolean

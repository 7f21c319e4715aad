/** Bundles one TypeScript file (a path from the root) into .build/ and imports it. */
export function importTypeScript(entry: string): Promise<Record<string, unknown>>

/** What a recipe wants to write; nothing is written before all of it is known to be possible. */
export interface Blueprint {
  /** New files by path. One that exists already is a reason to refuse. */
  readonly create: Readonly<Record<string, string>>
  /** Files that others share: made when missing, left alone when present. */
  readonly share: Readonly<Record<string, string>>
  /** New texts of files that exist, such as a list that gains a line. */
  readonly change: Readonly<Record<string, string>>
  /** What is left to do by hand. */
  readonly next: readonly string[]
}

/** The text of a file of the repository, or undefined when there is none. */
export type Read = (path: string) => string | undefined

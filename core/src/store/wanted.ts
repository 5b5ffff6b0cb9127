/** A file that a backend needs of a repository or directory. */
export interface WantedFile {
  /** Paths to look for; the first that is there wins. */
  readonly names: readonly string[]
  /** Whether the backend can do without. */
  readonly optional?: boolean
}

/** By the name under which the backend finds the file; `model` is the weights. */
export type Wanted = Readonly<Record<string, WantedFile>>

/** Files that are needed although nothing was found under any of their names. */
export const describeWanted = (role: string, { names }: WantedFile): string =>
  names.length === 1 && names[0] === role ? role : `${role} (${names.join(' or ')})`

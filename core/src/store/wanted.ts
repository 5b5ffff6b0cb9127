import { extname } from 'node:path'
import { modelFiles, shown } from './problems.js'

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

/** Whether weights of this name may be of one of the formats, which are endings of names (`.gguf`); a name without an ending does not tell. */
export const isOfFormat = (name: string, formats: readonly string[]): boolean =>
  extname(name) === '' || formats.some((ending) => name.toLowerCase().endsWith(ending))

/** Before they are fetched. @throws model_files */
export const refuseOtherFormats = (reference: string, name: string, formats: readonly string[] | undefined): void => {
  if (!formats || isOfFormat(name, formats)) return
  const problem = `its weights are ${shown(name)}, and the backend reads ${formats.join(', ')}`
  throw modelFiles(reference, `${problem}: choose another model or another backend`)
}

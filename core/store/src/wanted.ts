import { extname } from 'node:path'
import type { WantedFile } from '@sallyport/core'
import { modelFiles, shown } from './problems.js'

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

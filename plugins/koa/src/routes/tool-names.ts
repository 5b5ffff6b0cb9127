/** Errors about the names of tools in requests, in the words of the kernel. */

import { invalidField } from '../invalid-field.js'

/** @throws invalid_request for the first duplicate name, naming its field */
export const refuseDuplicates = (
  names: readonly (string | undefined)[],
  what: 'names' | 'labels',
  fieldOf: (position: number) => string,
): void => {
  const position = names.findIndex((name, at) => name !== undefined && names.indexOf(name) < at)
  if (position >= 0) throw invalidField(fieldOf(position), `must differ from the ${what} of the other tools`)
}

/** @param names the known names */
export const unknownTool = (field: string, names: readonly string[]) =>
  invalidField(field, `must be the name of one of the tools: ${names.join(', ') || 'there are none'}`)

import { invalidField } from '../invalid-field.js'

/** @param names the known names */
export const unknownTool = (field: string, names: readonly string[]) =>
  invalidField(field, `must be the name of one of the tools: ${names.join(', ') || 'there are none'}`)

import type { JsonObject } from './keywords.js'

/** A schema inside a document. */
export interface SchemaNode {
  /** Within the document. */
  readonly id: number
  readonly schema: JsonObject | boolean
  readonly base: string
  readonly parent: SchemaNode | undefined
  /** From the parent: keyword, and key or index below it. */
  readonly steps: readonly (string | number)[]
}

/** JSON path, as in `$.properties.name`. */
export const pathOf = (node: SchemaNode): string => {
  const steps: (string | number)[][] = []
  for (let at: SchemaNode | undefined = node; at; at = at.parent) steps.push([...at.steps])
  return steps
    .reverse()
    .flat()
    .reduce<string>((path, step) => `${path}${writeStep(step)}`, '$')
}

const writeStep = (step: string | number): string =>
  typeof step === 'string' && /^[A-Za-z_$][\w$]*$/.test(step) ? `.${step}` : `[${JSON.stringify(step)}]`

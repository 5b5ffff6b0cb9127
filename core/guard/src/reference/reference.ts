/** The references that answers are compared with: the statements of the request and of tools, or its instructions. */

import type { Pacer } from '@sallyport/kit/async'
import type { ComparedWith, MethodDeclaration, Origin } from '@sallyport/core'
import { turnOrigin } from '../input/turns.js'
import { keyOfWhole } from '../input/parts.js'
import { pathKey, textsOf } from '../fields/walk.js'
import type { TextField } from '../fields/walk.js'
import { sentencesOf, statementIn } from './statements.js'
import type { StatementOptions } from './statements.js'

/** Returns the references of a request. Each is collected when it is first needed. */
export const referencesOf = (
  declaration: MethodDeclaration,
  request: unknown,
  pacer: Pacer,
): ((kind: ComparedWith) => Promise<string>) => {
  const references = new Map<ComparedWith, Promise<string>>()
  return (kind) => {
    const reference = references.get(kind) ?? referencesByKind[kind](declaration, request, pacer)
    references.set(kind, reference)
    return reference
  }
}

/** The system prompt, verbatim. */
const instructionsOf = (declaration: MethodDeclaration, request: unknown): Promise<string> =>
  Promise.resolve(
    originTexts(declaration, request)
      .flatMap(({ text, origin }) => (origin === 'system' ? [text] : []))
      .join('\n'),
  )

/**
 * Collects results of tools and documents verbatim, and the statements in texts of users and operators. Earlier answers
 * of the model are left out, and so are texts without a declared origin.
 * @returns an empty string where there is nothing to compare with
 */
const statementReferenceOf = async (
  declaration: MethodDeclaration,
  request: unknown,
  pacer: Pacer,
): Promise<string> => {
  const texts: string[] = []
  for (const { text, origin, unfinished } of originTexts(declaration, request)) {
    const isWhole = origin === 'tool' || origin === 'document'
    const statements = isWhole ? text : await statementsOf(text, { origin, unfinished }, pacer)
    if (statements.trim()) texts.push(statements)
  }
  return texts.join('\n')
}

/** The statements of a text, verbatim. */
export const statementsOf = async (source: string, options: StatementOptions, pacer: Pacer): Promise<string> => {
  const text = source.trim()
  const kept: { start: number; end: number; next: number }[] = []
  let read = 0
  for (const sentence of sentencesOf(text)) {
    const found = statementIn(text, sentence, options)
    const last = kept.at(-1)
    if (found && last && last.next === read && found.start === sentence.start) {
      last.end = found.end
      last.next = read + 1
    } else if (found) kept.push({ ...found, next: read + 1 })
    read += 1
    if (read % 64 === 0) await pacer.pause()
  }
  return kept.map(({ start, end }) => text.slice(start, end)).join('\n')
}

interface WholeText {
  text: string
  readonly origin: Origin
  readonly unfinished: boolean
}

/** The texts of turns and fields that may be references, with the parts of each text joined. */
const originTexts = (declaration: MethodDeclaration, request: unknown): WholeText[] => {
  const wholes = new Map<string, WholeText>()
  for (const textField of textsOf(declaration.input, request)) {
    const unfinished = declaration.continues?.includes(String(textField.path[0])) ?? false
    const origin = unfinished ? 'user' : turnOrigin(declaration, request, textField.path)
    if (!origin || origin === 'model' || !isContent(declaration, textField)) continue
    const key = textField.leaf === 'part' ? keyOfWhole(textField.path) : pathKey(textField.path)
    const whole = wholes.get(key)
    if (whole) whole.text += textField.text
    else wholes.set(key, { text: textField.text, origin, unfinished })
  }
  return [...wholes.values()]
}

/** Whether a text is content: in a turn only its text is, not its tool calls or reasoning. */
export const isContent = ({ turns }: MethodDeclaration, { path }: TextField): boolean =>
  path[0] !== turns?.list || path[2] === turns?.text

const referencesByKind: Readonly<Record<ComparedWith, typeof statementReferenceOf>> = {
  statements: statementReferenceOf,
  instructions: instructionsOf,
}

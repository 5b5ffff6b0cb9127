/** What answers are compared with: what the request states and what was found out for it, or what it instructs. */

import type { Pacer } from '@sallyport/kit/async'
import type { ComparedWith, MethodDeclaration, Origin } from '@sallyport/core'
import { turnOrigin } from '../input/turns.js'
import { textsOf } from '../fields/walk.js'
import type { TextSite } from '../fields/walk.js'
import { sentencesOf, statementIn } from './statements.js'
import type { StatementOptions } from './statements.js'

/** Each is worked out when it is first asked for. */
export const referencesOf = (
  declaration: MethodDeclaration,
  request: unknown,
  pacer: Pacer,
): ((of: ComparedWith) => Promise<string>) => {
  const found = new Map<ComparedWith, Promise<string>>()
  return (of) => {
    const known = found.get(of) ?? collect[of](declaration, request, pacer)
    found.set(of, known)
    return known
  }
}

/** What the operator or the caller says to the model, word for word. */
const instructionsOf = (declaration: MethodDeclaration, request: unknown): Promise<string> =>
  Promise.resolve(
    wholeTexts(declaration, request)
      .flatMap(({ text, origin }) => (origin === 'system' ? [text] : []))
      .join('\n'),
  )

/**
 * Collects results of tools and documents as they are, and the statements among what users and operators say. What
 * models said before is left out, and so are texts whose declaration does not say where they come from.
 * @returns an empty text where there is nothing to compare with
 */
const referenceOf = async (declaration: MethodDeclaration, request: unknown, pacer: Pacer): Promise<string> => {
  const texts: string[] = []
  for (const { text, origin, unfinished } of wholeTexts(declaration, request)) {
    const isWhole = origin === 'tool' || origin === 'document'
    const stated = isWhole ? text : await statementsOf(text, { origin, unfinished }, pacer)
    if (stated.trim()) texts.push(stated)
  }
  return texts.join('\n')
}

/** The statements of a text, word for word. */
export const statementsOf = async (text: string, options: StatementOptions, pacer: Pacer): Promise<string> => {
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

/** The text of each turn and each field that may be a reference; the parts of one are joined. */
const wholeTexts = (declaration: MethodDeclaration, request: unknown): WholeText[] => {
  const wholes = new Map<string, WholeText>()
  for (const site of textsOf(declaration.input, request)) {
    const unfinished = declaration.continues?.includes(String(site.path[0])) ?? false
    const origin = unfinished ? 'user' : turnOrigin(declaration, request, site.path)
    if (!origin || origin === 'model' || !isContent(declaration, site)) continue
    const key = JSON.stringify(site.leaf === 'part' ? site.path.slice(0, 3) : site.path)
    const whole = wholes.get(key)
    if (whole) whole.text += site.text
    else wholes.set(key, { text: site.text, origin, unfinished })
  }
  return [...wholes.values()]
}

/** Whether it is content: of a turn, only what is said in it is. */
export const isContent = ({ turns }: MethodDeclaration, { path }: TextSite): boolean =>
  path[0] !== turns?.list || path[2] === turns?.text

const collect: Readonly<Record<ComparedWith, typeof referenceOf>> = {
  statements: referenceOf,
  instructions: instructionsOf,
}

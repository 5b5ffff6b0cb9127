/** What of a request is looked at. */

import type { MethodDeclaration, InspectionRequest, Origin } from '@sallyport/core'
import type { Source } from '../detect/findings.js'
import { joinParts, joinTogether } from './parts.js'
import { joinTurns, turnOrigin } from './turns.js'
import { fieldAt } from '../fields/walk.js'
import type { Steps, TextSite } from '../fields/walk.js'

/** A text of the request, and what it is there. */
export interface InputText {
  readonly request: InspectionRequest
  readonly source: Source
}

interface Text {
  readonly path: Steps
  readonly text: string
  readonly cuts?: readonly number[]
  readonly from?: number
  readonly word?: boolean
}

/** What a text is that stands in one field, or is made of several. */
const sourceOf = ({ input, recurring = [] }: MethodDeclaration, { path, text, cuts, word }: Text): Source => ({
  text,
  ...(cuts ? { cuts } : { field: () => fieldAt(input, path), ...(word && { word }) }),
  ...(recurring.includes(String(path[0])) && { recurs: true }),
})

/**
 * Every text by itself, every text in parts as a whole, every run of turns of one speaker, and what else models read
 * near each other: each way to cut an attack or to thin it out is undone in one of them.
 */
export function* textsToInspect(
  declaration: MethodDeclaration,
  request: unknown,
  sites: readonly TextSite[],
): Generator<InputText> {
  const inspected = new Map<Origin | undefined, Set<string>>()
  const ways: (() => Iterable<Text>)[] = [
    () => sites.filter(({ leaf }) => leaf !== 'identifier'),
    () => joinParts(sites),
    () => joinTurns(declaration, request, sites),
    () => joinTogether(declaration, sites),
  ]
  for (const texts of ways)
    for (const text of texts()) {
      const origin = turnOrigin(declaration, request, text.path)
      const known = inspected.get(origin) ?? new Set()
      if (!text.text || known.has(text.text)) continue
      inspected.set(origin, known.add(text.text))
      const { from } = text
      const asked = { text: text.text, ...(origin && { origin }), ...(from !== undefined && { from }) }
      yield { request: asked, source: sourceOf(declaration, text) }
    }
}

/** Every text by itself, and every text in parts as a whole; of those that say the same, the first. */
export function* textsToReplace(declaration: MethodDeclaration, sites: readonly TextSite[]): Generator<Source> {
  const known = new Set<string>()
  for (const text of [...sites.filter(({ leaf }) => leaf !== 'identifier'), ...joinParts(sites)]) {
    const name = nameOfText(text)
    if (!text.text || known.has(name)) continue
    known.add(name)
    yield sourceOf(declaration, text)
  }
}

/** Names a text: those that say the same and are read in the same way have the same name. */
export const nameOfText = ({ text, word = false }: Pick<TextSite, 'text' | 'word'>): string =>
  `${word ? 'word' : 'text'} ${text}`

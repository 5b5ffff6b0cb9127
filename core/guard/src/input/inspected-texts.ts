/** The texts of a request that are inspected, alone and joined. */

import type { MethodDeclaration, InspectionRequest, Origin } from '@sallyport/core'
import type { Source } from '../detect/findings.js'
import { joinParts, joinGroups } from './parts.js'
import { joinTurns, turnOrigin } from './turns.js'
import { fieldAt } from '../fields/walk.js'
import type { Path, TextSite } from '../fields/walk.js'

/** A text of the request, as a detector gets it. */
export interface InspectedText {
  readonly request: InspectionRequest
  readonly source: Source
}

interface RequestText {
  readonly path: Path
  readonly text: string
  readonly partEnds?: readonly number[]
  readonly from?: number
  readonly word?: boolean
}

/** Describes a text of one field, or one that was joined from several. */
const sourceOf = (
  { input, recurring = [] }: MethodDeclaration,
  { path, text, partEnds, word }: RequestText,
): Source => ({
  text,
  ...(partEnds ? { partEnds } : { field: () => fieldAt(input, path), ...(word && { word }) }),
  ...(recurring.includes(String(path[0])) && { isRecurring: true }),
})

/**
 * Every text by itself, the joined parts of each text, the joined turns of each speaker, and fields that models read near
 * each other. An attack that is split up in one of these ways is whole in one of the joined texts.
 */
export function* textsToInspect(
  declaration: MethodDeclaration,
  request: unknown,
  sites: readonly TextSite[],
): Generator<InspectedText> {
  const inspected = new Map<Origin | undefined, Set<string>>()
  const groupings: (() => Iterable<RequestText>)[] = [
    () => sites.filter(({ leaf }) => leaf !== 'identifier'),
    () => joinParts(sites),
    () => joinTurns(declaration, request, sites),
    () => joinGroups(declaration, sites),
  ]
  for (const texts of groupings)
    for (const text of texts()) {
      const origin = turnOrigin(declaration, request, text.path)
      const known = inspected.get(origin) ?? new Set()
      if (!text.text || known.has(text.text)) continue
      inspected.set(origin, known.add(text.text))
      const { from } = text
      const inspectionRequest = { text: text.text, ...(origin && { origin }), ...(from !== undefined && { from }) }
      yield { request: inspectionRequest, source: sourceOf(declaration, text) }
    }
}

/** Every text by itself, and the joined parts of each text, without duplicates. */
export function* textsToReplace(declaration: MethodDeclaration, sites: readonly TextSite[]): Generator<Source> {
  const known = new Set<string>()
  for (const text of [...sites.filter(({ leaf }) => leaf !== 'identifier'), ...joinParts(sites)]) {
    const key = textKey(text)
    if (!text.text || known.has(key)) continue
    known.add(key)
    yield sourceOf(declaration, text)
  }
}

/** Equal for texts that are inspected with the same result. */
export const textKey = ({ text, word = false }: Pick<TextSite, 'text' | 'word'>): string =>
  `${word ? 'word' : 'text'} ${text}`

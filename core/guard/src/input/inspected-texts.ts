/** The texts of a request that are inspected, alone and joined. */

import type { MethodDeclaration, InspectionRequest, Origin } from '@sallyport/core'
import type { TextDescription } from '../detect/findings.js'
import { joinParts, joinGroups } from './parts.js'
import { joinTurns, turnOrigin } from './turns.js'
import { fieldAt } from '../fields/walk.js'
import type { Path, TextField } from '../fields/walk.js'

/** A text of the request, as a detector gets it. */
interface InspectedText {
  readonly request: InspectionRequest
  readonly description: TextDescription
}

interface RequestText {
  readonly path: Path
  readonly text: string
  readonly partEnds?: readonly number[]
  readonly from?: number
  readonly isProgramName?: boolean
}

/** Describes a text of one field, or one that was joined from several. */
export const describeText = (
  { input, recurring = [] }: MethodDeclaration,
  { path, text, partEnds, isProgramName }: RequestText,
): TextDescription => ({
  text,
  ...(partEnds ? { partEnds } : { field: () => fieldAt(input, path), ...(isProgramName && { isProgramName }) }),
  ...(recurring.includes(String(path[0])) && { isRecurring: true }),
})

/**
 * Every text by itself, the joined parts of each text, neighbouring turns of one role joined, the text around the
 * change from one role to the next, and fields that models read near each other, so that split attacks are found.
 * @param passed texts that are left out, wherever they stand
 */
export function* textsToInspect(
  declaration: MethodDeclaration,
  request: unknown,
  textFields: readonly TextField[],
  passed: readonly TextField[],
): Generator<InspectedText> {
  const inspected = new Map<Origin | undefined, Set<string>>()
  for (const { path, text } of passed) {
    const origin = turnOrigin(declaration, request, path)
    inspected.set(origin, (inspected.get(origin) ?? new Set()).add(text))
  }
  const groupings: (() => Iterable<RequestText>)[] = [
    () => textFields.filter(({ leaf }) => leaf !== 'identifier'),
    () => joinParts(textFields),
    () => joinTurns(declaration, request, textFields),
    () => joinGroups(declaration, textFields),
  ]
  for (const texts of groupings)
    for (const text of texts()) {
      const origin = turnOrigin(declaration, request, text.path)
      const known = inspected.get(origin) ?? new Set()
      if (!text.text || known.has(text.text)) continue
      inspected.set(origin, known.add(text.text))
      const { from } = text
      const inspectionRequest = { text: text.text, ...(origin && { origin }), ...(from !== undefined && { from }) }
      yield { request: inspectionRequest, description: describeText(declaration, text) }
    }
}

/** Every text by itself, and the joined parts of each text, without duplicates. */
export function* textsToReplace(
  declaration: MethodDeclaration,
  textFields: readonly TextField[],
): Generator<TextDescription> {
  const known = new Set<string>()
  for (const text of [...textFields.filter(({ leaf }) => leaf !== 'identifier'), ...joinParts(textFields)]) {
    const key = textKey(text)
    if (!text.text || known.has(key)) continue
    known.add(key)
    yield describeText(declaration, text)
  }
}

/** Equal for texts that are inspected with the same result. */
export const textKey = ({ text, isProgramName = false }: Pick<TextField, 'text' | 'isProgramName'>): string =>
  `${isProgramName ? 'word' : 'text'} ${text}`

/** What of a request is inspected for attacks. */

import type { MethodDeclaration } from '../capabilities/capability.js'
import type { InspectionRequest, Origin } from '../capabilities/safeguard.js'
import { fieldAt } from './findings.js'
import type { Source } from './findings.js'
import { joinParts } from './parts.js'
import { joinTogether } from './together.js'
import { joinTurns, speakerAt } from './turns.js'
import type { Steps, TextSite } from './walk.js'

/** A text of the request, and what it is there. */
export interface InputText {
  readonly request: InspectionRequest
  readonly source: Source
}

/** What a text is that stands in one field, or is made of several. */
export const sourceOf = (
  { input }: MethodDeclaration,
  { path, text, cuts }: { readonly path: Steps; readonly text: string; readonly cuts?: readonly number[] },
): Source => {
  const field = cuts ? undefined : fieldAt(input, path)
  return { text, ...(cuts ? { cuts } : {}), ...(field === undefined ? {} : { field }) }
}

/**
 * Every text by itself, every text in parts as a whole, every run of turns of one speaker, and what else models read
 * near each other: each way to cut an attack or to thin it out is undone in one of them.
 */
export const textsToInspect = (
  declaration: MethodDeclaration,
  request: unknown,
  sites: readonly TextSite[],
): InputText[] => {
  const texts = [
    ...sites.filter(({ leaf }) => leaf !== 'identifier'),
    ...joinParts(sites),
    ...joinTurns(declaration, request, sites),
    ...joinTogether(declaration, sites),
  ]
  const inspected = new Map<string, InputText>()
  for (const one of texts) {
    const { path, text } = one
    const origin = originOf(declaration, request, path)
    const key = `${origin} ${text}`
    if (!text || inspected.has(key)) continue
    const asked = { text, ...(origin === undefined ? {} : { origin }) }
    inspected.set(key, { request: asked, source: sourceOf(declaration, one) })
  }
  return [...inspected.values()]
}

const originOf = (declaration: MethodDeclaration, request: unknown, path: Steps): Origin | undefined =>
  named(declaration.turns?.origins, speakerAt(declaration, request, path)) ?? named(declaration.origins, path[0])

const named = (origins: MethodDeclaration['origins'] = {}, name: unknown): Origin | undefined =>
  typeof name === 'string' && Object.hasOwn(origins, name) ? origins[name] : undefined

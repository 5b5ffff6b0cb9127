/** What of a request is inspected for attacks. */

import type { MethodDeclaration } from '../capabilities/capability.js'
import type { InspectionRequest, Origin } from '../capabilities/safeguard.js'
import { joinParts } from './parts.js'
import { joinTurns, speakerAt } from './turns.js'
import type { Steps, TextSite } from './walk.js'

/**
 * Every text by itself, every text in parts as a whole, and every run of turns of one speaker: each way to cut an attack
 * or to thin it out is undone in one of them.
 */
export const textsToInspect = (
  declaration: MethodDeclaration,
  request: unknown,
  sites: readonly TextSite[],
): InspectionRequest[] => {
  const texts = [
    ...sites.filter(({ leaf }) => leaf !== 'identifier'),
    ...joinParts(sites),
    ...joinTurns(declaration, request, sites),
  ]
  const inspected = new Map<string, InspectionRequest>()
  for (const { path, text } of texts) {
    const origin = originOf(declaration, request, path)
    if (text) inspected.set(`${origin} ${text}`, { text, ...(origin === undefined ? {} : { origin }) })
  }
  return [...inspected.values()]
}

const originOf = (declaration: MethodDeclaration, request: unknown, path: Steps): Origin | undefined =>
  named(declaration.turns?.origins, speakerAt(declaration, request, path)) ?? named(declaration.origins, path[0])

const named = (origins: MethodDeclaration['origins'] = {}, name: unknown): Origin | undefined =>
  typeof name === 'string' && Object.hasOwn(origins, name) ? origins[name] : undefined

/** Personal information that is split over fields of a request: its messages, calls, documents, descriptions of tools. */

import { mapBounded } from '../../async/map-bounded.js'
import type { MethodDeclaration } from '../../capabilities/capability.js'
import type { CheckContext } from '../checks.js'
import type { PiiPolicy } from '../policy.js'
import { replaceAll } from '../replace-places.js'
import { inspectionsAtOnce } from '../soundness.js'
import { placesAcross } from '../values/across-values.js'
import { edgesOf } from '../values/values.js'
import type { NamedText } from '../values/values.js'
import type { TextSite } from '../walk.js'
import { speakerAt } from './turns.js'

/**
 * The texts, with what neighbours say together replaced in each of them.
 * @param request whose texts these are, as they were
 * @param original the texts as they were
 * @param sites that have been looked at one by one
 * @throws content_blocked, safeguard_unavailable
 */
export const replaceAcrossFields = async (
  declaration: MethodDeclaration,
  request: unknown,
  original: readonly TextSite[],
  sites: readonly TextSite[],
  policy: PiiPolicy,
  context: CheckContext,
): Promise<readonly TextSite[]> => {
  if (!context.detectors.pii?.inspectAcross || sites.length < 2) return sites
  const values = sites.flatMap((site, at) =>
    site.leaf === 'identifier' ? [] : edgesOf(namedText(declaration, request, original[at] ?? site, site.text), at),
  )
  const places = await placesAcross(policy, values, context)
  if (!places.size) return sites
  return mapBounded(sites, inspectionsAtOnce, async (site, at) => {
    const own = places.get(at)
    return own ? { ...site, text: await replaceAll(site.text, own, { policy, context }) } : site
  })
}

/** The path to a key ends with it. */
const namedText = (
  declaration: MethodDeclaration,
  request: unknown,
  { path, text: original }: TextSite,
  text: string,
): NamedText => {
  const name = String(path.findLast((step) => typeof step === 'string') ?? '')
  const isTurn = declaration.turns !== undefined && path[2] === declaration.turns.text
  const speaker = isTurn ? speakerAt(declaration, request, path) : undefined
  return {
    text,
    name,
    column: `${path[0] ?? ''} ${speaker ? `of ${String(speaker)}` : name}`,
    isKey: original === path.at(-1),
  }
}

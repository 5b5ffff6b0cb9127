/** The checks of what goes in. */

import { mapBounded } from '../async/map-bounded.js'
import type { MethodDeclaration } from '../capabilities/capability.js'
import { showPath } from '../config/data.js'
import { failure } from '../errors/index.js'
import { replaceAcrossTurns } from './across-turns.js'
import { checkScore, readingsFor } from './checks.js'
import type { CheckContext } from './checks.js'
import type { Source } from './findings.js'
import { sourceOf, textsToInspect } from './input-texts.js'
import { joinParts, rewriteParts } from './parts.js'
import { checkPii } from './personal-information.js'
import { enforces } from './policy.js'
import type { CheckPolicy, PiiPolicy, Policy } from './policy.js'
import { inspectionsAtOnce } from './soundness.js'
import { numberedStandIns } from './stand-in.js'
import { isIdentifier, rewriteTexts, textsOf } from './walk.js'
import type { Steps, TextSite } from './walk.js'

/** Both run side by side; where both find something, the injection is what is reported. */
export interface CheckedInput {
  /** The request as a model may see it: personal information never reaches one. @throws content_blocked, safeguard_unavailable */
  readonly request: Promise<unknown>
  /** Resolves when nothing that goes in speaks against an answer. @throws content_blocked, safeguard_unavailable */
  readonly passed: Promise<void>
}

/** @throws invalid_request, unsupported: for what cannot be checked */
export const checkInput = (
  declaration: MethodDeclaration,
  request: unknown,
  checks: Policy['input'],
  context: CheckContext,
): CheckedInput => {
  const { injection, pii } = checks
  const sites = textsOf(declaration.input, request)
  const enforced = enforces(checks)
  if (enforced) {
    refuseOddIdentifiers(sites)
    refuseEncoded(declaration.encoded ?? [], request)
  }
  const clean = injection ? inspectForAttacks(injection, declaration, request, sites, context) : Promise.resolve()
  const replaced = pii ? replaceIn(declaration, request, sites, pii, context) : Promise.resolve(request)
  const named = replaced.then((value) => (enforced ? withStandIns(declaration, value) : value))
  const decided = named.catch((error: unknown) => clean.then(() => Promise.reject(error as Error)))
  const passed = Promise.all([clean, decided]).then(() => undefined)
  // Whoever waits for one of them may not wait for the other.
  for (const promise of [decided, passed]) promise.catch(() => undefined)
  return { request: decided, passed }
}

/** Each text is inspected in every way that it may read. */
const inspectForAttacks = async (
  policy: CheckPolicy,
  declaration: MethodDeclaration,
  request: unknown,
  sites: readonly TextSite[],
  context: CheckContext,
): Promise<void> => {
  const texts = await mapBounded(textsToInspect(declaration, request, sites), inspectionsAtOnce, async (text) => {
    const readings = await readingsFor('injection', policy, text.source.text, { ...context, source: text.source })
    return readings.map((reading) => ({ ...text, reading }))
  })
  await mapBounded(texts.flat(), inspectionsAtOnce, ({ request: inspected, source, reading }) =>
    checkScore('injection', policy, { ...inspected, text: reading.text }, { ...context, source }, reading),
  )
}

const replaceIn = async (
  declaration: MethodDeclaration,
  request: unknown,
  sites: readonly TextSite[],
  policy: PiiPolicy,
  context: CheckContext,
): Promise<unknown> => {
  const single = sites.filter(({ leaf }) => leaf !== 'identifier')
  const texts = [...single, ...joinParts(sites)].map((text) => sourceOf(declaration, text))
  const replaced = await replaceAll(distinct(texts), policy, context)
  const rewritten = rewriteTexts(declaration.input, request, ({ text }) => replaced.get(text) ?? text)
  const whole = await rewriteParts(
    declaration.input,
    rewritten,
    // What no replacement has changed has been looked at.
    async (joined) => replaced.get(joined) ?? checkPii(policy, joined, context),
  )
  return replaceAcrossTurns(declaration, whole, policy, context)
}

/** The first of those that say the same, and none that says nothing. */
const distinct = (texts: readonly Source[]): readonly Source[] => {
  const first = new Map<string, Source>()
  for (const source of texts) if (source.text && !first.has(source.text)) first.set(source.text, source)
  return [...first.values()]
}

/** Each text and what it becomes. */
const replaceAll = async (texts: readonly Source[], policy: PiiPolicy, stage: CheckContext) =>
  new Map(
    await mapBounded(texts, inspectionsAtOnce, async (source) => {
      const { text } = source
      return [text, await checkPii(policy, text, { ...stage, source })] as const
    }),
  )

/** Token ids would carry any text past the checks. @throws unsupported */
const refuseEncoded = (names: readonly string[], value: unknown, path: Steps = []): void => {
  if (!names.length || typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return
  for (const [key, inner] of Object.entries(value)) {
    const here = [...path, Array.isArray(value) ? Number(key) : key]
    if (names.includes(key) && inner !== undefined)
      throw failure('unsupported', {
        field: showPath(here),
        problem: 'token ids cannot be checked by the safeguards: send text',
      })
    refuseEncoded(names, inner, here)
  }
}

/** Identifiers are not inspected, so no model sees them as they are. */
const withStandIns = ({ input }: MethodDeclaration, request: unknown): unknown => {
  const standInFor = numberedStandIns()
  return rewriteTexts(input, request, ({ leaf, text }) => (leaf === 'identifier' ? standInFor(text) : text))
}

/** An identifier is not inspected, so it must be one. @throws invalid_request */
const refuseOddIdentifiers = (sites: readonly TextSite[]): void => {
  const odd = sites.find(({ leaf, text }) => leaf === 'identifier' && !isIdentifier(text))
  if (odd)
    throw failure('invalid_request', {
      field: showPath(odd.path),
      problem: 'must be an identifier: 1 to 128 letters, digits or any of . : / _ -',
    })
}

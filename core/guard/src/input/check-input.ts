/** The checks of what goes in. */

import { mapBounded, mapPaced, Pacer } from '@sallyport/kit/async'
import { failure } from '@sallyport/core'
import type { MethodDeclaration, InspectionRequest } from '@sallyport/core'
import { showPath } from '@sallyport/kit/json'
import type { Reading } from '@sallyport/kit/views'
import { placesAcrossFields } from './across-fields.js'
import { replaceAcrossTurns } from './across-turns.js'
import { blocked, findsSpans, maxRounds, removes } from '../policy/active-check.js'
import type { ActiveCheck, SpanCheck } from '../policy/active-check.js'
import { checkScore, readingsFor } from '../detect/checks.js'
import type { CheckContext } from '../detect/checks.js'
import type { Source } from '../detect/findings.js'
import { nameOfText, textsToInspect, textsToReplace } from './inspected-texts.js'
import { rewriteParts } from './parts.js'
import { checkSpans } from '../replace/spans.js'
import { inspectionsAtOnce } from '@sallyport/core'
import { numberedStandIns } from '../fields/stand-in.js'
import type { PlacesByText } from '../values/across-values.js'
import { boundedTextsOf, isIdentifier, withTexts } from '../fields/walk.js'
import type { Steps, TextSite } from '../fields/walk.js'

/** All run side by side; of those that find something, the first of the chain is what is reported. */
export interface CheckedInput {
  /**
   * The request as a model may see it: what is to be replaced never reaches one.
   * @throws content_blocked, safeguard_unavailable, and what cannot be checked: invalid_request, unsupported
   */
  readonly request: Promise<unknown>
  /** Resolves when nothing that goes in speaks against an answer. @throws content_blocked, safeguard_unavailable */
  readonly passed: Promise<void>
}

/** @param checks in the order of the chain: what stands behind one that replaces sees what that has left */
export const checkInput = (
  declaration: MethodDeclaration,
  request: unknown,
  checks: readonly ActiveCheck[],
  context: CheckContext,
): CheckedInput => {
  if (!checks.length) return { request: Promise.resolve(request), passed: Promise.resolve() }
  const pacer = new Pacer(context.call)
  const enforced = checks.some(({ policy }) => policy.mode === 'enforce')
  const read = textsIn(declaration, request, enforced, pacer)
  const write = async (sites: readonly TextSite[], shown = sites) => {
    if (shown === (await read)) return request
    await pacer.pause()
    return withTexts(declaration.input, request, shown)
  }
  let sites = read
  /** What each check waits for, in the order of the chain. */
  const pending: Promise<unknown>[] = []
  const look = async (check: ActiveCheck, texts: readonly TextSite[]) => {
    if (findsSpans(check)) return replaceIn(declaration, request, texts, check, context)
    await inspectTexts(check, declaration, await write(texts), texts, context)
    return texts
  }
  /** What stood around something that was removed may be what a check before is there for: all up to there look again. */
  const lookAgain = async (at: number, texts: readonly TextSite[], rounds = maxRounds): Promise<typeof texts> => {
    let left = texts
    for (const check of checks.slice(0, at + 1)) {
      const next = await look(check, left)
      if (removes(check) && !haveSameTexts(left, next)) {
        if (rounds === 0) throw blocked(check)
        return lookAgain(at, next, rounds - 1)
      }
      left = next
    }
    return left
  }
  for (const [at, check] of checks.entries()) {
    const before = sites
    const left = before.then(async (texts) => {
      const next = await look(check, texts)
      return removes(check) && !haveSameTexts(texts, next) ? lookAgain(at, next) : next
    })
    pending.push(left)
    if (findsSpans(check)) sites = left
  }
  const rewritten = sites.then((texts) => write(texts, enforced ? withStandIns(texts) : texts))
  const decided = rewritten.catch((error: unknown) => firstOf(pending).then(() => Promise.reject(error as Error)))
  const passed = firstOf([...pending, decided])
  // Whoever waits for one of them may not wait for the other.
  for (const promise of [...pending, decided, passed]) promise.catch(() => undefined)
  return { request: decided, passed }
}

const haveSameTexts = (some: readonly TextSite[], others: readonly TextSite[]): boolean =>
  some.every(({ text }, at) => text === others[at]?.text)

/** @throws what the first of them throws */
const firstOf = async (checks: readonly Promise<unknown>[]): Promise<void> => {
  for (const check of checks) await check
}

/** Strings, names and numbers of one request. */
const maxTexts = 65_536

/** @throws invalid_request, unsupported: for what cannot be checked */
const textsIn = async (
  declaration: MethodDeclaration,
  request: unknown,
  enforced: boolean,
  pacer: Pacer,
): Promise<readonly TextSite[]> => {
  await pacer.pause()
  const sites = boundedTextsOf(declaration.input, request, enforced ? maxTexts : Infinity)
  if (!sites)
    throw failure('invalid_request', { problem: `it has more than ${maxTexts} texts to check: send less at a time` })
  if (!enforced) return sites
  refuseInvalidIdentifiers(sites)
  refuseEncoded(declaration.encoded ?? [], request)
  return sites
}

/** Each text is inspected in every way that it may read. */
const inspectTexts = async (
  check: ActiveCheck,
  declaration: MethodDeclaration,
  request: unknown,
  sites: readonly TextSite[],
  context: CheckContext,
): Promise<void> => {
  await mapPaced(
    textsToInspect(declaration, request, sites),
    inspectionsAtOnce,
    context.call,
    async ({ request: inspected, source }) => {
      const ofText = { ...context, source }
      for (const reading of await readingsFor(check, source.text, ofText))
        await checkScore(check, requestOf(reading, inspected), ofText, reading)
    },
  )
}

/** In another reading nobody knows where a speaker's text begins. */
const requestOf = ({ depth, text }: Reading, { from, ...inspected }: InspectionRequest): InspectionRequest => ({
  ...inspected,
  text,
  ...(depth === 0 && from !== undefined && { from }),
})

const replaceIn = async (
  declaration: MethodDeclaration,
  request: unknown,
  sites: readonly TextSite[],
  check: SpanCheck,
  context: CheckContext,
): Promise<readonly TextSite[]> => {
  const across = await placesAcrossFields(declaration, request, sites, check, context)
  const split = await replaceSplit(declaration, sites, across, check, context)
  const alone = split.size ? sites.filter((_, at) => !split.has(at)) : sites
  const replaced = await replaceAll(textsToReplace(declaration, alone), check, context)
  const rewritten = sites.map((site, at) => ({
    ...site,
    text: split.get(at) ?? replaced.get(nameOfText(site)) ?? site.text,
  }))
  // A text that no replacement has changed has been checked already.
  const whole = await rewriteParts(
    rewritten,
    async (text) => replaced.get(nameOfText({ text })) ?? checkSpans(check, text, context),
  )
  // `placesAcrossFields` finds strict forms only. This finds whatever patterns know, such as telephone numbers and digits
  // alone, also with a blank where it is cut, but only across turns that models read one after the other.
  return replaceAcrossTurns(declaration, request, whole, check, context)
}

/** By their positions, what becomes of texts whose neighbours say a part of what is found. */
const replaceSplit = async (
  declaration: MethodDeclaration,
  sites: readonly TextSite[],
  across: PlacesByText,
  check: SpanCheck,
  context: CheckContext,
): Promise<ReadonlyMap<number, string>> => {
  const texts = await mapBounded(across, inspectionsAtOnce, async ([at, places]) => {
    const own = sites.slice(at, at + 1)
    const [source] = textsToReplace(declaration, own)
    return source ? [[at, await checkSpans(check, source.text, { ...context, source }, '', places)] as const] : []
  })
  return new Map(texts.flat())
}

/** By the name of each text, what it becomes. */
const replaceAll = async (texts: Iterable<Source>, check: SpanCheck, stage: CheckContext) =>
  new Map(
    await mapPaced(texts, inspectionsAtOnce, stage.call, async (source) => {
      return [nameOfText(source), await checkSpans(check, source.text, { ...stage, source })] as const
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
const withStandIns = (sites: readonly TextSite[]): readonly TextSite[] => {
  if (!sites.some(({ leaf }) => leaf === 'identifier')) return sites
  const standInFor = numberedStandIns()
  return sites.map((site) => (site.leaf === 'identifier' ? { ...site, text: standInFor(site.text) } : site))
}

/** An identifier is not inspected, so it must be one. @throws invalid_request */
const refuseInvalidIdentifiers = (sites: readonly TextSite[]): void => {
  const odd = sites.find(({ leaf, text }) => leaf === 'identifier' && !isIdentifier(text))
  if (odd)
    throw failure('invalid_request', {
      field: showPath(odd.path),
      problem: 'must be an identifier: 1 to 128 letters, digits or any of . : / _ -',
    })
}

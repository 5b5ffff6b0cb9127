/** Runs the input checks on a request. */

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
import { textKey, textsToInspect, textsToReplace } from './inspected-texts.js'
import { rewriteParts } from './parts.js'
import { checkSpans } from '../replace/spans.js'
import { inspectionsAtOnce } from '@sallyport/core'
import { numberedStandIns } from '../fields/stand-in.js'
import type { PlacesByText } from '../values/across-values.js'
import { textsUpTo, isIdentifier, withTexts } from '../fields/walk.js'
import type { Path, TextSite } from '../fields/walk.js'

/** The results of checks that run in parallel. Of several that fail, the first in the chain is reported. */
export interface CheckedInput {
  /**
   * The request that the model may see, with findings replaced.
   * @throws content_blocked, safeguard_unavailable; invalid_request and unsupported for what cannot be checked
   */
  readonly request: Promise<unknown>
  /** Resolves when all checks have passed. @throws content_blocked, safeguard_unavailable */
  readonly passed: Promise<void>
}

/** @param checks in the order of the chain: those after one that replaces see the replaced text */
export const checkInput = (
  declaration: MethodDeclaration,
  request: unknown,
  checks: readonly ActiveCheck[],
  context: CheckContext,
): CheckedInput => {
  if (!checks.length) return { request: Promise.resolve(request), passed: Promise.resolve() }
  const pacer = new Pacer(context.call)
  const enforced = checks.some(({ policy }) => policy.mode === 'enforce')
  const allSites = checkableTexts(declaration, request, enforced, pacer)
  const requestWith = async (sites: readonly TextSite[], visible = sites) => {
    if (visible === (await allSites)) return request
    await pacer.pause()
    return withTexts(declaration.input, request, visible)
  }
  let sites = allSites
  /** The result of each check, in the order of the chain. */
  const pending: Promise<unknown>[] = []
  const runCheck = async (check: ActiveCheck, texts: readonly TextSite[]) => {
    if (findsSpans(check)) return replaceIn(declaration, request, texts, check, context)
    await inspectTexts(check, declaration, await requestWith(texts), texts, context)
    return texts
  }
  /** A removal joins the text around it, which earlier checks have not seen joined. So all checks up to it run again. */
  const recheck = async (at: number, texts: readonly TextSite[], rounds = maxRounds): Promise<typeof texts> => {
    let left = texts
    for (const check of checks.slice(0, at + 1)) {
      const next = await runCheck(check, left)
      if (removes(check) && !haveSameTexts(left, next)) {
        if (rounds === 0) throw blocked(check)
        return recheck(at, next, rounds - 1)
      }
      left = next
    }
    return left
  }
  for (const [at, check] of checks.entries()) {
    const before = sites
    const left = before.then(async (texts) => {
      const next = await runCheck(check, texts)
      return removes(check) && !haveSameTexts(texts, next) ? recheck(at, next) : next
    })
    pending.push(left)
    if (findsSpans(check)) sites = left
  }
  const rewritten = sites.then((texts) => requestWith(texts, enforced ? withStandIns(texts) : texts))
  const decided = rewritten.catch((error: unknown) => allPassed(pending).then(() => Promise.reject(error as Error)))
  const passed = allPassed([...pending, decided])
  // A caller may await only one of them, and the others must not become unhandled rejections.
  for (const promise of [...pending, decided, passed]) promise.catch(() => undefined)
  return { request: decided, passed }
}

const haveSameTexts = (some: readonly TextSite[], others: readonly TextSite[]): boolean =>
  some.every(({ text }, at) => text === others[at]?.text)

/** @throws the error of the first that fails, in their order */
const allPassed = async (checks: readonly Promise<unknown>[]): Promise<void> => {
  for (const check of checks) await check
}

/** Maximum number of texts of a request that is checked: strings, keys and numbers. */
const maxTexts = 65_536

/** The texts of a request. @throws invalid_request, unsupported for what cannot be checked */
const checkableTexts = async (
  declaration: MethodDeclaration,
  request: unknown,
  enforced: boolean,
  pacer: Pacer,
): Promise<readonly TextSite[]> => {
  await pacer.pause()
  const sites = textsUpTo(declaration.input, request, enforced ? maxTexts : Infinity)
  if (!sites)
    throw failure('invalid_request', { problem: `it has more than ${maxTexts} texts to check: send less at a time` })
  if (!enforced) return sites
  refuseInvalidIdentifiers(sites)
  refuseEncoded(declaration.encoded ?? [], request)
  return sites
}

/** Inspects every reading of each text. */
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
      const textContext = { ...context, source }
      for (const reading of await readingsFor(check, source.text, textContext))
        await checkScore(check, requestOf(reading, inspected), textContext, reading)
    },
  )
}

/** The request for a reading. `from` is known in the original text only. */
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
  const split = await replaceSplitFindings(declaration, sites, across, check, context)
  const unsplit = split.size ? sites.filter((_, at) => !split.has(at)) : sites
  const replaced = await replaceAll(textsToReplace(declaration, unsplit), check, context)
  const rewritten = sites.map((site, at) => ({
    ...site,
    text: split.get(at) ?? replaced.get(textKey(site)) ?? site.text,
  }))
  // A whole that equals a checked text is not checked again.
  const whole = await rewriteParts(
    rewritten,
    async (text) => replaced.get(textKey({ text })) ?? checkSpans(check, text, context),
  )
  // `placesAcrossFields` finds strict forms only. This finds all patterns, such as telephone numbers and plain digits, also
  // with a space between the parts, but only across turns that models read one after the other.
  return replaceAcrossTurns(declaration, request, whole, check, context)
}

/** The replaced texts, by position, of texts with findings that continue in neighbours. */
const replaceSplitFindings = async (
  declaration: MethodDeclaration,
  sites: readonly TextSite[],
  across: PlacesByText,
  check: SpanCheck,
  context: CheckContext,
): Promise<ReadonlyMap<number, string>> => {
  const texts = await mapBounded(across, inspectionsAtOnce, async ([at, places]) => {
    const [source] = textsToReplace(declaration, sites.slice(at, at + 1))
    return source ? [[at, await checkSpans(check, source.text, { ...context, source }, '', places)] as const] : []
  })
  return new Map(texts.flat())
}

/** The replaced texts, by {@link textKey}. */
const replaceAll = async (texts: Iterable<Source>, check: SpanCheck, context: CheckContext) =>
  new Map(
    await mapPaced(texts, inspectionsAtOnce, context.call, async (source) => {
      return [textKey(source), await checkSpans(check, source.text, { ...context, source })] as const
    }),
  )

/** Refuses token ids, which could carry any text past the checks. @throws unsupported */
const refuseEncoded = (names: readonly string[], value: unknown, path: Path = []): void => {
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

/** Replaces identifiers, which are not inspected, so that models never see the originals. */
const withStandIns = (sites: readonly TextSite[]): readonly TextSite[] => {
  if (!sites.some(({ leaf }) => leaf === 'identifier')) return sites
  const standInFor = numberedStandIns()
  return sites.map((site) => (site.leaf === 'identifier' ? { ...site, text: standInFor(site.text) } : site))
}

/** Identifiers are not inspected, so they must have the form of one. @throws invalid_request */
const refuseInvalidIdentifiers = (sites: readonly TextSite[]): void => {
  const invalid = sites.find(({ leaf, text }) => leaf === 'identifier' && !isIdentifier(text))
  if (invalid)
    throw failure('invalid_request', {
      field: showPath(invalid.path),
      problem: 'must be an identifier: 1 to 128 letters, digits or any of . : / _ -',
    })
}

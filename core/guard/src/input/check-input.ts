/** Runs the input checks on a request. */

import { mapBounded, mapPaced, Pacer, runPaced } from '@sallyport/kit/async'
import { failure, inspectionsAtOnce } from '@sallyport/core'
import type { MethodDeclaration, InspectionRequest } from '@sallyport/core'
import { showPath } from '@sallyport/kit/json'
import type { Reading } from '@sallyport/kit/views'
import { findMatchesAcrossFields } from './across-fields.js'
import { replaceAcrossTurns } from './across-turns.js'
import { blocked, cutsPassages, findsSpans, maxRechecks, removes } from '../policy/active-check.js'
import type { ActiveCheck, SpanCheck } from '../policy/active-check.js'
import { checkScore, readingsFor } from '../detect/checks.js'
import type { CheckContext } from '../detect/checks.js'
import type { TextDescription } from '../detect/findings.js'
import { describeText, textKey, textsToInspect, textsToReplace } from './inspected-texts.js'
import { rewriteParts } from './parts.js'
import { turnOrigin } from './turns.js'
import { cutPassages } from '../replace/cut.js'
import { checkJoined, checkSpans } from '../replace/spans.js'
import { Sequence } from '../replace/sequence.js'
import { joinWithSpans } from '../values/texts-with-spans.js'
import { numberedStandIns } from '../fields/stand-in.js'
import type { MatchesByText } from '../values/across-values.js'
import { textsUpTo, isIdentifier, withTexts } from '../fields/walk.js'
import type { Path, TextField } from '../fields/walk.js'

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
  const enforced = checks.some(({ entry }) => entry.mode === 'enforce')
  const allTextFields = checkableTexts(declaration, request, enforced, pacer)
  let textFields = allTextFields
  if (context.vault) textFields = allTextFields.then((texts) => noted(declaration, request, texts, context, pacer))
  /** The result of each check, in the order of the chain. */
  const pending: Promise<unknown>[] = []
  const runCheck = async (check: ActiveCheck, texts: readonly TextField[]) => {
    if (findsSpans(check)) return replaceIn(declaration, request, texts, check, context)
    const rest = cutsPassages(check) ? await cutIn(declaration, request, texts, check, context) : texts
    // What is split over several texts is not cut, but blocked.
    const passed = cutsPassages(check) ? rest.filter(isCuttable) : []
    await inspectTexts(check, declaration, request, rest, context, passed)
    return rest
  }
  /**
   * A removal joins the text around it, which earlier checks have not seen joined. So all checks up to it run again.
   */
  const recheck = async (
    at: number,
    texts: readonly TextField[],
    rechecksLeft = maxRechecks,
  ): Promise<typeof texts> => {
    let current = texts
    for (const check of checks.slice(0, at + 1)) {
      const next = await runCheck(check, current)
      if (removes(check) && !haveSameTexts(current, next)) {
        if (rechecksLeft === 0) throw blocked(check)
        return recheck(at, next, rechecksLeft - 1)
      }
      current = next
    }
    return current
  }
  for (const [at, check] of checks.entries()) {
    const before = textFields
    const after = before.then(async (texts) => {
      const next = await runCheck(check, texts)
      return removes(check) && !haveSameTexts(texts, next) ? recheck(at, next) : next
    })
    pending.push(after)
    if (findsSpans(check) || cutsPassages(check)) textFields = after
  }
  const rewritten = textFields.then(async (texts) => {
    const fields = enforced ? withStandIns(texts) : texts
    if (fields === (await allTextFields)) return request
    await pacer.pause()
    return withTexts(declaration.input, request, fields)
  })
  const checkedRequest = rewritten.catch((error: unknown) =>
    allPassed(pending).then(() => Promise.reject(error as Error)),
  )
  const passed = allPassed([...pending, checkedRequest])
  // A caller may await only one of them, and the others must not become unhandled rejections.
  for (const promise of [...pending, checkedRequest, passed]) promise.catch(() => undefined)
  return { request: checkedRequest, passed }
}

/** Notes all texts, so that no substitute equals something in them. */
const noted = async (
  declaration: MethodDeclaration,
  request: unknown,
  texts: readonly TextField[],
  { vault, stage }: CheckContext,
  pacer: Pacer,
): Promise<typeof texts> => {
  for (const { text, path } of vault ? texts : []) {
    const origin = turnOrigin(declaration, request, path)
    // Results of tools have substitutes when they come back as part of a request.
    const isForeign = origin === 'user' || (origin === 'tool' && stage === 'output')
    if (vault) await runPaced(vault.note(text, isForeign), pacer)
  }
  return texts
}

const haveSameTexts = (some: readonly TextField[], others: readonly TextField[]): boolean =>
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
): Promise<readonly TextField[]> => {
  await pacer.pause()
  const textFields = textsUpTo(declaration.input, request, enforced ? maxTexts : Infinity)
  if (!textFields)
    throw failure('invalid_request', { problem: `it has more than ${maxTexts} texts to check: send less at a time` })
  if (!enforced) return textFields
  refuseInvalidIdentifiers(textFields)
  refuseEncoded(declaration.encoded ?? [], request)
  return textFields
}

/**
 * Inspects every reading of each text.
 * @param passed texts that the check has inspected by themselves
 */
const inspectTexts = async (
  check: ActiveCheck,
  declaration: MethodDeclaration,
  request: unknown,
  textFields: readonly TextField[],
  context: CheckContext,
  passed: readonly TextField[],
): Promise<void> => {
  await mapPaced(
    textsToInspect(declaration, request, textFields, passed),
    inspectionsAtOnce,
    context.call,
    async ({ request: inspected, description }) => {
      const textContext = { ...context, description }
      for (const reading of await readingsFor(check, description.text, textContext))
        await checkScore(check, requestOf(reading, inspected), textContext, reading)
    },
  )
}

/** The request for a reading. `from` is known in the original text only. */
const requestOf = ({ isOriginal, text }: Reading, { from, ...inspected }: InspectionRequest): InspectionRequest => ({
  ...inspected,
  text,
  ...(isOriginal && from !== undefined && { from }),
})

/** Names and schemas are for programs, and stay as they are. */
const isCuttable = ({ leaf, text }: TextField): boolean =>
  text !== '' && leaf !== 'identifier' && leaf !== 'name' && leaf !== 'schema'

const cutIn = async (
  declaration: MethodDeclaration,
  request: unknown,
  textFields: readonly TextField[],
  check: SpanCheck,
  context: CheckContext,
): Promise<readonly TextField[]> => {
  const cuts = new Map<string, Promise<string>>()
  const cut = await mapPaced(textFields, inspectionsAtOnce, context.call, async (textField) => {
    if (!isCuttable(textField)) return textField
    const origin = turnOrigin(declaration, request, textField.path)
    const inspected = { text: textField.text, ...(origin && { origin }) }
    const key = JSON.stringify(inspected)
    const description = describeText(declaration, textField)
    const text = cuts.get(key) ?? cutPassages(check, inspected, { ...context, description })
    cuts.set(key, text)
    return { ...textField, text: await text }
  })
  return haveSameTexts(textFields, cut) ? textFields : cut
}

const replaceIn = async (
  declaration: MethodDeclaration,
  request: unknown,
  textFields: readonly TextField[],
  check: SpanCheck,
  context: CheckContext,
): Promise<readonly TextField[]> => {
  const matchesAcross = await findMatchesAcrossFields(declaration, request, textFields, check, context)
  const splitTexts = await replaceSplitFindings(declaration, textFields, matchesAcross, check, context)
  const others = splitTexts.size ? textFields.filter((_, at) => !splitTexts.has(at)) : textFields
  const replaced = await checkEachText(textsToReplace(declaration, others), check, context)
  const rewritten = textFields.map((textField, at) => {
    // Different identifiers would become equal; each gets a stand-in of its own later.
    const alone = textField.leaf === 'identifier' ? undefined : replaced.get(textKey(textField))
    return { ...textField, text: splitTexts.get(at) ?? alone ?? textField.text }
  })
  // Joined parts that equal a text that was checked already are not checked again.
  const joined = await rewriteParts(
    rewritten,
    async (parts) =>
      replaced.get(textKey({ text: parts.join('') })) ??
      checkJoined(check, joinWithSpans(parts, [...parts.keys()], ''), context),
  )
  // `findMatchesAcrossFields` finds strict forms only. This finds all patterns, such as telephone numbers and plain
  // digits, also with a space between the parts, but only across turns that models read one after the other.
  return replaceAcrossTurns(declaration, request, joined, check, context)
}

/** The replaced texts, by position, of texts with findings that continue in neighbours. */
const replaceSplitFindings = async (
  declaration: MethodDeclaration,
  textFields: readonly TextField[],
  matchesAcross: MatchesByText,
  check: SpanCheck,
  context: CheckContext,
): Promise<ReadonlyMap<number, string>> => {
  const sequence = new Sequence()
  const texts = await mapBounded(matchesAcross, inspectionsAtOnce, ([at, matches]) =>
    sequence.run(async (turn) => {
      const [description] = textsToReplace(declaration, textFields.slice(at, at + 1))
      const textContext = { ...context, turn, ...(description && { description }) }
      return description ? [[at, await checkSpans(check, description.text, textContext, '', matches)] as const] : []
    }),
  )
  return new Map(texts.flat())
}

/** The replaced texts, by {@link textKey}. */
const checkEachText = async (texts: Iterable<TextDescription>, check: SpanCheck, context: CheckContext) => {
  const sequence = new Sequence()
  return new Map(
    await mapPaced(texts, inspectionsAtOnce, context.call, (description) =>
      sequence.run(async (turn) => {
        const textContext = { ...context, description, turn }
        return [textKey(description), await checkSpans(check, description.text, textContext)] as const
      }),
    ),
  )
}

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
const withStandIns = (textFields: readonly TextField[]): readonly TextField[] => {
  if (!textFields.some(({ leaf }) => leaf === 'identifier')) return textFields
  const numberedStandInFor = numberedStandIns()
  return textFields.map((textField) =>
    textField.leaf === 'identifier' ? { ...textField, text: numberedStandInFor(textField.text) } : textField,
  )
}

/** Identifiers are not inspected, so they must have the form of one. @throws invalid_request */
const refuseInvalidIdentifiers = (textFields: readonly TextField[]): void => {
  const invalid = textFields.find(({ leaf, text }) => leaf === 'identifier' && !isIdentifier(text))
  if (invalid)
    throw failure('invalid_request', {
      field: showPath(invalid.path),
      problem: 'must be an identifier: 1 to 128 letters, digits or any of . : / _ -',
    })
}

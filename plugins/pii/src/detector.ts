import { mapInTurns, Pacer } from '@sallyport/kit/async'
import { maxOf } from '@sallyport/kit/lists'
import type { AcrossRequest, Call, Finding, Inspection, OpenSpan, Replacement, ReplaceRequest } from '@sallyport/core'
import type { SpanDetector, SpanRequest } from '@sallyport/core'
import { wordEntities } from './model/entities.js'
import { findAcross } from './across/across.js'
import { agesBehindNames } from './matching/ages.js'
import { joinNeighbours } from './matching/neighbours.js'
import type { FindingWithKind } from './matching/neighbours.js'
import { resolveOverlaps } from './matching/overlaps.js'
import type { CallContext, PatternSearch } from './matching/pattern-search.js'
import type { NameModel } from './model/names.js'
import { givenNamesBeforeSurname } from './words/names.js'
import { replaceFindings } from './replacement/replace.js'
import type { Substitutes } from './replacement/substitutes.js'

interface Parts {
  readonly patterns: Pick<PatternSearch, 'find' | 'openSpans'>
  /** Absent where only patterns are searched. */
  readonly names?: NameModel
  readonly substitutes: Substitutes
  /** Findings of the model with a lower score are dropped. */
  readonly threshold: number
  readonly ignore: ReadonlySet<string>
}

/** Finds personal information by recognisers and, where one is configured, a model. */
export class PiiDetector implements SpanDetector {
  constructor(private readonly parts: Parts) {}

  async inspect(
    { text, before = '', ignore = [], isProgramName = false }: SpanRequest,
    call: Call,
  ): Promise<Inspection> {
    call.signal.throwIfAborted()
    const begin = performance.now()
    const ignored = new Set([...this.parts.ignore, ...ignore, ...(isProgramName ? wordEntities : [])])
    const names = isProgramName ? undefined : this.parts.names
    const [byPatterns, byModel = []] = await Promise.all([
      this.parts.patterns.find({ text, before, ignored }, call),
      names?.find(text, call, !ignored.has('EMAIL_ADDRESS')),
    ])
    const notIgnored = byModel.filter(({ type }) => !ignored.has(type))
    const findings = await this.merge(byPatterns, notIgnored, text, ignored, new Pacer(call))
    return inspectionOf(findings, this.parts.names ? 'pii-patterns-and-model/1' : 'pii-patterns/1', begin)
  }

  async inspectAcross({ values, ignore = [] }: AcrossRequest, call: Call): Promise<Inspection> {
    call.signal.throwIfAborted()
    const begin = performance.now()
    const ignored = new Set([...this.parts.ignore, ...ignore])
    const findings = await findAcross(values, ignored, new Pacer(call))
    return inspectionOf(findings, 'pii-across/1', begin)
  }

  async replace({ text, findings, method, avoid }: ReplaceRequest, call: Call): Promise<Replacement> {
    call.signal.throwIfAborted()
    const substitute = (original: string, type: string) =>
      this.parts.substitutes.make(original, type, method, call.tenant, avoid)
    return replaceFindings(text, findings, substitute, new Pacer(call))
  }

  async openSpans({ text }: { text: string }, call: CallContext): Promise<{ spans: OpenSpan[] }> {
    call.signal.throwIfAborted()
    return { spans: await this.parts.patterns.openSpans({ text, ignored: this.parts.ignore }, call) }
  }

  private async merge(
    byPatterns: readonly FindingWithKind[],
    byModel: readonly FindingWithKind[],
    text: string,
    ignored: ReadonlySet<string>,
    pacer: Pacer,
  ): Promise<Finding[]> {
    const organizations = byPatterns.filter(({ type }) => type === 'ORGANIZATION')
    const sure = byModel.filter(({ score }) => score >= this.parts.threshold)
    // Models take rare given names with a surname for towns; before a number, they are the name of a street.
    const people = new Set(
      byPatterns
        .filter(({ type, start, end }) => type === 'PERSON' && text.slice(start, end).includes(' '))
        .map(({ start, end }) => `${start} ${end}`),
    )
    const isPerson = ({ type, start, end }: Finding) =>
      type === 'LOCATION' && people.has(`${start} ${end}`) && !/^,? \d/.test(text.slice(end, end + 3))
    const names = sure.filter((finding) => !isInOrganization(organizations, finding, text) && !isPerson(finding))
    const found = [...byPatterns, ...names]
    const ages = ignored.has('AGE') ? [] : agesBehindNames(found, text)
    const all = await resolveOverlaps([...found, ...ages], text, pacer)
    return mapInTurns(joinNeighbours(all, text), pacer, ({ type, start, end, score }) => ({ type, start, end, score }))
  }
}

const inspectionOf = (findings: Finding[], detector: string, begin: number): Inspection => {
  const types = [...new Set(findings.map(({ type }) => type))].sort()
  return {
    findings,
    score: maxOf(
      findings.map(({ score }) => score),
      0,
    ),
    explanation: types.length ? `found ${types.join(', ')}` : 'nothing found',
    detector,
    latency: performance.now() - begin,
  }
}

/** Whether a name is part of that of an organisation, or is one itself, unless it begins as a person's. */
const isInOrganization = (organizations: readonly Finding[], { type, start, end }: Finding, text: string): boolean =>
  (type === 'PERSON' || type === 'LOCATION') &&
  organizations.some(
    (one) =>
      one.start <= start &&
      end <= one.end &&
      (one.end - one.start > end - start ||
        (one.score >= minSureOrganization && !beginsWithGivenName(text.slice(start, end)))),
  )

/** The score of organisations after and before words that are seldom about people. */
const minSureOrganization = 0.6

const beginsWithGivenName = (name: string): boolean =>
  givenNamesBeforeSurname.has((/^\S+(?= )/.exec(name)?.[0] ?? '').toLowerCase())

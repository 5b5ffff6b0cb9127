import { mapInTurns, Pacer } from '@sallyport/kit/async'
import type {
  Call,
  Finding,
  Inspection,
  OpenSpan,
  AcrossRequest,
  SpanDetector,
  SpanRequest,
  Replacement,
  ReplaceRequest,
} from '@sallyport/core'
import { wordEntities } from './model/entities.js'
import { findAcross } from './across/across.js'
import { joinNeighbours } from './matching/neighbours.js'
import type { FindingWithKind } from './matching/neighbours.js'
import { resolveOverlaps } from './matching/overlaps.js'
import type { PatternSearch } from './matching/pattern-search.js'
import type { NameModel } from './model/names.js'
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
    const named = names?.find(text, call, !ignored.has('EMAIL_ADDRESS')) ?? Promise.resolve([])
    const [byPatterns, byModel] = await Promise.all([this.parts.patterns.find({ text, before, ignored }, call), named])
    const findingsOfModel = byModel.filter(({ type }) => !ignored.has(type))
    const findings = await this.merge(byPatterns, findingsOfModel, text, new Pacer(call))
    return inspectionOf(findings, this.parts.names ? 'pii-patterns-and-model/1' : 'pii-patterns/1', begin)
  }

  async inspectAcross({ values, ignore = [] }: AcrossRequest, call: Call): Promise<Inspection> {
    call.signal.throwIfAborted()
    const begin = performance.now()
    const ignored = new Set([...this.parts.ignore, ...ignore])
    const findings = await findAcross(values, ignored, new Pacer(call))
    return inspectionOf(findings, 'pii-across/1', begin)
  }

  async replace({ text, findings, method }: ReplaceRequest, call: Call): Promise<Replacement> {
    call.signal.throwIfAborted()
    return replaceFindings(
      text,
      findings,
      (original, type) => this.parts.substitutes.of(original, type, method, call.tenant),
      new Pacer(call),
    )
  }

  async openSpans({ text }: { text: string }, call: Pick<Call, 'signal' | 'tenant'>): Promise<{ spans: OpenSpan[] }> {
    call.signal.throwIfAborted()
    return { spans: await this.parts.patterns.openSpans({ text, ignored: this.parts.ignore }, call) }
  }

  private async merge(
    byPatterns: readonly FindingWithKind[],
    byModel: readonly FindingWithKind[],
    text: string,
    pacer: Pacer,
  ): Promise<Finding[]> {
    const organizations = byPatterns.filter(({ type }) => type === 'ORGANIZATION')
    const likely = byModel.filter(
      (finding) => finding.score >= this.parts.threshold && !isInOrganization(organizations, finding),
    )
    const all = await resolveOverlaps([...byPatterns, ...likely], text, pacer)
    return mapInTurns(joinNeighbours(all, text), pacer, ({ type, start, end, score }) => ({ type, start, end, score }))
  }
}

const inspectionOf = (findings: Finding[], detector: string, begin: number): Inspection => ({
  findings,
  score: findings.reduce((worst, { score }) => Math.max(worst, score), 0),
  explanation: explanationOf(findings),
  detector,
  latency: performance.now() - begin,
})

const explanationOf = (findings: readonly Finding[]): string => {
  const types = [...new Set(findings.map(({ type }) => type))].sort()
  return types.length ? `found ${types.join(', ')}` : 'nothing found'
}

/** Whether a person's name is part of the name of an organisation. */
const isInOrganization = (organizations: readonly Finding[], { type, start, end }: Finding): boolean =>
  type === 'PERSON' &&
  organizations.some((one) => one.start <= start && end <= one.end && one.end - one.start > end - start)

import { originalReading } from '@sallyport/kit/views'
import type { Span } from '@sallyport/kit/views'
import { Pacer } from '@sallyport/kit/async'
import type { Call, ClassifiedSpan, Served, TokenClassificationCapability } from '@sallyport/core'
import { withShortEmails } from './email-addresses.js'
import { defaultLabels, labelMeanings } from './labels.js'
import type { LabelMeanings } from './labels.js'
import { batchesOf, blocksOf, isReadable } from './blocks.js'
import type { ModelFinding } from './finding.js'
import { mayName } from './prefilter.js'
import { withoutPayloads } from './payloads.js'
import { isCased, modelFindings } from './spans.js'
import { namesInContext } from './names-in-context.js'

/**
 * Finds names, places, organisations and personal numbers by a token-classification model, and names by the words
 * before them.
 */
export class NameModel {
  private readonly labels: LabelMeanings
  /** Whether the model reads every block: custom labels may denote types that {@link mayName} does not know. */
  private readonly readsEverything: boolean

  constructor(
    private readonly model: () => Served<TokenClassificationCapability>,
    labels: Readonly<Record<string, string>> = {},
  ) {
    this.labels = labelMeanings(labels)
    const defaultEntities = new Set(Object.values(defaultLabels).map(({ entity }) => entity))
    this.readsEverything = Object.values(labels).some((entity) => !defaultEntities.has(entity))
  }

  /** @param patternsFindEmails whether patterns find email addresses, so that the model need not read them */
  async find(whole: string, call: Call, patternsFindEmails: boolean): Promise<ModelFinding[]> {
    const readable = withoutPayloads(whole)
    const pacer = new Pacer(call)
    const shortened = patternsFindEmails ? await withShortEmails(readable, pacer) : originalReading(readable)
    const { text } = shortened
    const blocks = await blocksByContent(text, this.readsEverything ? () => true : mayName, pacer)
    const findings: ModelFinding[] = []
    for (const batch of batchesOf([...blocks.values()].flatMap(([first]) => first ?? [])))
      for (const [content, found] of await this.findIn(batch, text, call))
        for (const { start } of blocks.get(content) ?? [])
          for (const one of found) {
            const source = shortened.sourceOf({ start: one.start + start, end: one.end + start })
            findings.push(widenToNumber({ ...one, ...source }, whole))
          }
    return findings.sort((a, b) => a.start - b.start)
  }

  /** The findings of the model in each block, by the text of the block. */
  private async findIn(blocks: readonly Span[], text: string, call: Call): Promise<[string, ModelFinding[]][]> {
    const texts = blocks.map(({ start, end }) => text.slice(start, end))
    const { spans } = await this.model().classify({ texts }, call)
    return texts.map((content, index) => [content, this.findingsIn(content, spans[index] ?? [])])
  }

  private findingsIn(text: string, spans: readonly ClassifiedSpan[]): ModelFinding[] {
    const findings = modelFindings(spans, text, this.labels)
    const isNew = ({ start, end }: ModelFinding) => !findings.some((one) => one.start < end && start < one.end)
    return [...findings, ...namesInContext(text, isCased(text)).filter(isNew)]
  }
}

/** The blocks that the model reads, by their text, as repeated text is read once. */
const blocksByContent = async (
  text: string,
  mayHaveFindings: (content: string) => boolean,
  pacer: Pacer,
): Promise<Map<string, Span[]>> => {
  const blocks = new Map<string, Span[]>()
  for (const block of blocksOf(text)) {
    const content = text.slice(block.start, block.end)
    const same = blocks.get(content)
    if (same) same.push(block)
    else if (isReadable(content) && mayHaveFindings(content)) blocks.set(content, [block])
    await pacer.pause()
  }
  return blocks
}

/** By how many UTF-16 code units a number is widened on each side at most. */
const maxWidening = 48
const before = /(?:[\p{Script=Latin}\p{N}]|(?<=\p{N})[-._/]){0,48}$/u
const after = /^(?:[\p{Script=Latin}\p{N}]|[-._/](?=\p{N})){0,48}/u

/** Widens a finding of a model to the whole number that it is part of. */
const widenToNumber = (finding: ModelFinding, text: string): ModelFinding => {
  const { isPersonalNumber, start, end } = finding
  const content = text.slice(start, end)
  const lead = /^\p{N}/u.test(content) ? before.exec(text.slice(Math.max(0, start - maxWidening), start)) : undefined
  const rest = isPersonalNumber || /\p{N}$/u.test(content) ? after.exec(text.slice(end, end + maxWidening)) : undefined
  return { ...finding, start: start - (lead?.[0].length ?? 0), end: end + (rest?.[0].length ?? 0) }
}

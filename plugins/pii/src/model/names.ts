import { asItStands } from '@sallyport/kit/views'
import { Pacer } from '@sallyport/kit/async'
import type { Call, ClassifiedSpan, Served, TokenClassificationCapability } from '@sallyport/core'
import { withShortAddresses } from './addresses.js'
import { defaultLabels, ownLabel } from './labels.js'
import type { LabelMeaning } from './labels.js'
import { batchesOf, blocksOf, isReadable } from './blocks.js'
import type { Block } from './blocks.js'
import type { ModelFinding } from './finding.js'
import { mayName } from './gate.js'
import { withoutPayloads } from './payloads.js'
import { isCased, modelFindings } from './spans.js'
import { namedBySurroundings } from './surroundings.js'
import { wholeNumber } from './whole-numbers.js'

/** Names, places and organisations, by a token-classification model and the words before them. */
export class NameModel {
  private readonly labels: Readonly<Record<string, LabelMeaning>>
  /** Whether it looks for more than names and numbers: nothing is known of where that may stand. */
  private readonly asksAlways: boolean

  constructor(
    private readonly model: () => Served<TokenClassificationCapability>,
    labels: Readonly<Record<string, string>> = {},
  ) {
    const own = Object.entries(labels).map(([label, entity]) => [label, ownLabel(entity)] as const)
    this.labels = { ...defaultLabels, ...Object.fromEntries(own) }
    const usual = new Set(Object.values(defaultLabels).map(({ entity }) => entity))
    this.asksAlways = own.some(([, { entity }]) => !usual.has(entity))
  }

  /** @param hasAddresses whether mail addresses are found by patterns */
  async find(whole: string, call: Call, hasAddresses: boolean): Promise<ModelFinding[]> {
    const readable = withoutPayloads(whole)
    const pacer = new Pacer(call)
    const shown = hasAddresses ? await withShortAddresses(readable, pacer) : asItStands(readable)
    const { text } = shown
    const places = await wantedOf(text, this.asksAlways ? () => true : mayName, pacer)
    const findings: ModelFinding[] = []
    for (const blocks of batchesOf([...places.values()].flatMap(([first]) => first ?? [])))
      for (const [content, found] of await this.findIn(blocks, text, call))
        for (const { start } of places.get(content) ?? [])
          for (const one of found)
            findings.push({ ...one, ...shown.sourceOf({ start: one.start + start, end: one.end + start }) })
    return findings.map((finding) => wholeNumber(finding, whole)).sort((a, b) => a.start - b.start)
  }

  /** What the model finds in each block, by the block's text. */
  private async findIn(blocks: readonly Block[], text: string, call: Call): Promise<[string, ModelFinding[]][]> {
    const texts = blocks.map(({ start, end }) => text.slice(start, end))
    const { spans } = await this.model().classify({ texts }, call)
    return texts.map((content, index) => [content, this.findingsIn(content, spans[index] ?? [])])
  }

  private findingsIn(text: string, spans: readonly ClassifiedSpan[]): ModelFinding[] {
    const findings = modelFindings(spans, text, this.labels)
    const isNew = ({ start, end }: ModelFinding) => !findings.some((one) => one.start < end && start < one.end)
    return [...findings, ...namedBySurroundings(text, isCased(text)).filter(isNew)]
  }
}

/** The blocks that a model is asked about, by what they say: about what is said twice it is asked once. */
const wantedOf = async (
  text: string,
  isWanted: (content: string) => boolean,
  pacer: Pacer,
): Promise<Map<string, Block[]>> => {
  const wanted = new Map<string, Block[]>()
  for (const block of blocksOf(text)) {
    const content = text.slice(block.start, block.end)
    const same = wanted.get(content)
    if (same) same.push(block)
    else if (isReadable(content) && isWanted(content)) wanted.set(content, [block])
    await pacer.pause()
  }
  return wanted
}

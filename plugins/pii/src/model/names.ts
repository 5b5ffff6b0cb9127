import { Turns } from '@sallyport/core'
import type { Call, ClassifiedSpan, Served, TokenClassificationCapability } from '@sallyport/core'
import { defaultLabels } from './labels.js'
import type { LabelMeaning } from './labels.js'
import { batchesOf, blocksOf } from './blocks.js'
import type { Block } from './blocks.js'
import type { ModelFinding } from './finding.js'
import { mayName } from './gate.js'
import { isCased, modelFindings } from './spans.js'
import { namedBySurroundings } from './surroundings.js'

/** Names, places and organisations, by a token-classification model and the words before them. */
export class NameModel {
  private readonly labels: Readonly<Record<string, LabelMeaning>>

  constructor(
    private readonly model: () => Served<TokenClassificationCapability>,
    labels: Readonly<Record<string, string>> = {},
  ) {
    const own = Object.entries(labels).map(([label, entity]) => [label, { entity }] as const)
    this.labels = { ...defaultLabels, ...Object.fromEntries(own) }
  }

  async find(text: string, call: Call): Promise<ModelFinding[]> {
    const findings: ModelFinding[] = []
    for (const blocks of batchesOf(await wantedOf(text, new Turns(call))))
      for (const finding of await this.findIn(blocks, text, call)) findings.push(finding)
    return findings
  }

  private async findIn(blocks: readonly Block[], text: string, call: Call): Promise<ModelFinding[]> {
    const texts = blocks.map(({ start, end }) => text.slice(start, end))
    const { spans } = await this.model().classify({ texts }, call)
    return blocks.flatMap((block, index) =>
      this.findingsIn(texts[index] ?? '', spans[index] ?? []).map((finding) => ({
        ...finding,
        start: finding.start + block.start,
        end: finding.end + block.start,
      })),
    )
  }

  private findingsIn(text: string, spans: readonly ClassifiedSpan[]): ModelFinding[] {
    const findings = modelFindings(spans, text, this.labels)
    const isNew = ({ start, end }: ModelFinding) => !findings.some((one) => one.start < end && start < one.end)
    return [...findings, ...namedBySurroundings(text, isCased(text)).filter(isNew)]
  }
}

/** The blocks that a model is asked about. */
const wantedOf = async (text: string, turns: Turns): Promise<Block[]> => {
  const wanted: Block[] = []
  for (const block of blocksOf(text)) {
    if (mayName(text.slice(block.start, block.end))) wanted.push(block)
    await turns.pause()
  }
  return wanted
}

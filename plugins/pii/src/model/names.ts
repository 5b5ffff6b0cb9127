import type { Call, Served, TokenClassificationCapability } from '@sallyport/core'
import { defaultLabels } from './labels.js'
import type { LabelMeaning } from './labels.js'
import { batchesOf, blocksOf } from './blocks.js'
import type { Block } from './blocks.js'
import { modelFindings } from './spans.js'
import type { ModelFinding } from './spans.js'

/** Names, places and organisations, by a token-classification model. */
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
    for (const blocks of batchesOf(blocksOf(text)))
      for (const finding of await this.findIn(blocks, text, call)) findings.push(finding)
    return findings
  }

  private async findIn(blocks: readonly Block[], text: string, call: Call): Promise<ModelFinding[]> {
    const texts = blocks.map(({ start, end }) => text.slice(start, end))
    const { spans } = await this.model().classify({ texts }, call)
    return blocks.flatMap((block, index) =>
      modelFindings(spans[index] ?? [], texts[index] ?? '', this.labels).map((finding) => ({
        ...finding,
        start: finding.start + block.start,
        end: finding.end + block.start,
      })),
    )
  }
}

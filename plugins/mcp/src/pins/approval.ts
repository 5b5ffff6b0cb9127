/** Decides which tools may be used. */

import type { ListedTool } from '../tool.js'

export type Objection = 'changed' | 'new'

export interface Judgement {
  readonly approved: readonly ListedTool[]
  /** The refused tools by name, with the reasons. */
  readonly refused: ReadonlyMap<string, Objection>
}

export interface Approval {
  judge(listed: readonly ListedTool[]): Judgement
}

/** Hashes of tools, as approved or as listed, by their names. */
export type ToolHashes = ReadonlyMap<string, string>

export const judgeBy = (pins: ToolHashes, listed: readonly ListedTool[]): Judgement => {
  const approved: ListedTool[] = []
  const refused = new Map<string, Objection>()
  for (const tool of listed) {
    const pinned = pins.get(tool.name)
    if (pinned === tool.hash) approved.push(tool)
    else refused.set(tool.name, pinned === undefined ? 'new' : 'changed')
  }
  return { approved, refused }
}

/** Approves all tools, for servers with `pin: false`. */
export const approveAll: Approval = { judge: (listed) => ({ approved: listed, refused: new Map() }) }

/** Approves the tools whose hashes the configuration has. */
export const approveOnly = (toolHashes: Readonly<Record<string, string>>): Approval => {
  const pins = new Map(Object.entries(toolHashes))
  return { judge: (listed) => judgeBy(pins, listed) }
}

/** The maximum number of names that are pinned per connection. */
const maxPins = 2000

/** Pins each tool as it is first listed, for the life of the connection. Names beyond the limit are refused. */
export class TrustOnFirstUse implements Approval {
  private readonly pins = new Map<string, string>()

  judge(listed: readonly ListedTool[]): Judgement {
    for (const { name, hash } of listed) if (!this.pins.has(name) && this.pins.size < maxPins) this.pins.set(name, hash)
    return judgeBy(this.pins, listed)
  }
}

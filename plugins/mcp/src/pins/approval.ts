/** Which tools may be used. */

import type { ListedTool } from '../tool.js'

export type Objection = 'changed' | 'new'

export interface Judgement {
  readonly offered: readonly ListedTool[]
  /** Names of the others. */
  readonly refused: ReadonlyMap<string, Objection>
}

export interface Approval {
  judge(listed: readonly ListedTool[]): Judgement
}

/** Hashes of approved tools by their names. */
export type Pins = ReadonlyMap<string, string>

export const judgeBy = (pins: Pins, listed: readonly ListedTool[]): Judgement => {
  const offered: ListedTool[] = []
  const refused = new Map<string, Objection>()
  for (const tool of listed) {
    const pinned = pins.get(tool.name)
    if (pinned === tool.hash) offered.push(tool)
    else refused.set(tool.name, pinned === undefined ? 'new' : 'changed')
  }
  return { offered, refused }
}

/** For servers whose tools may change. */
export const anything: Approval = { judge: (offered) => ({ offered, refused: new Map() }) }

/** For servers whose tools the configuration names. */
export const fixed = (tools: Readonly<Record<string, string>>): Approval => {
  const pins = new Map(Object.entries(tools))
  return { judge: (listed) => judgeBy(pins, listed) }
}

/** Names of which it is remembered what they meant first: twice the tools of a list. */
const maxPins = 2000

/** For as long as it lives: what a tool says of itself first holds. A server with ever new names has those refused. */
export class FirstListing implements Approval {
  private readonly pins = new Map<string, string>()

  judge(listed: readonly ListedTool[]): Judgement {
    for (const { name, hash } of listed) if (!this.pins.has(name) && this.pins.size < maxPins) this.pins.set(name, hash)
    return judgeBy(this.pins, listed)
  }
}

/** Where usage is kept. */

/** What a key has used of a model on a day. */
export interface UsageRow {
  /** `2026-11-29`, in UTC. */
  readonly day: string
  /** The id of the key; `anonymous` without authentication. */
  readonly key: string
  /** The key's team; empty where it has none. */
  readonly team: string
  /** The id of the model; empty where a request named none. */
  readonly model: string
  readonly requests: number
  readonly tokensIn: number
  readonly tokensOut: number
  /** In the currency of the prices. */
  readonly cost: number
}

/** The key or the team whose usage is summed up. */
export interface Owner {
  readonly kind: 'key' | 'team'
  readonly name: string
}

/** What an owner has used on a day and in its month. */
export interface Totals {
  readonly dayTokens: number
  readonly monthTokens: number
  readonly monthCost: number
}

/** What usage is summed up by. */
export const usageGroups = ['key', 'team', 'model', 'day'] as const

export type UsageGroup = (typeof usageGroups)[number]

/** Sums over rows; of the groups, those that were asked for are present. */
export type UsageSum = Pick<UsageRow, 'requests' | 'tokensIn' | 'tokensOut' | 'cost'> &
  Partial<Pick<UsageRow, UsageGroup>>

/** How much of the quotas per minute an owner has used at a time, in milliseconds since 1970. */
export interface MinuteUse extends Owner {
  readonly requests: number
  readonly tokens: number
  readonly at: number
}

/** Keeps what was used. Calls do not overlap: whoever calls waits for one to end before the next. */
export interface UsageStore {
  /** Makes the store ready. @throws config_invalid */
  open(): Promise<void>
  /** Adds to what is stored, all of it or nothing, and replaces how much of the minute is used. */
  add(rows: readonly UsageRow[], minutes: readonly MinuteUse[]): Promise<void>
  /** What the owners have used, in their order, those included whom other servers served. */
  totals(owners: readonly Owner[], day: string): Promise<readonly Totals[]>
  /** How much of the minute an owner had used when that was last stored. */
  minuteUse(owner: Owner): Promise<MinuteUse | undefined>
  /** Sums by groups, from a day on, in the order of the groups. */
  sums(groups: readonly UsageGroup[], since: string): Promise<readonly UsageSum[]>
  close(): Promise<void>
}

import { failure } from '@sallyport/core'
import type { Logger } from '@sallyport/core'
import { isStorageFull, storageFull } from '../storage-full.js'
import type { MinuteUse, Owner, Totals, UsageRow, UsageStore } from './usage-store.js'

/** Milliseconds for which usage is collected before it is stored, where it need not outlive the process at once. */
const groupTime = 100

/** Milliseconds after which what could not be stored is tried again. */
const retryTime = 1000

/** Milliseconds after which the totals of who has used something are read again, for other servers add to them, too. */
const refreshTime = 1000

/** An owner whose totals the ledger keeps up to date. */
export interface Totalled extends Owner {
  totals: Totals
  /** The day of the totals. */
  readonly day: string
  /** How much of the quotas per minute is used now. */
  minuteUse(): MinuteUse
}

export interface LedgerOptions {
  /** Whether {@link Ledger.add} waits until the row is on the disk. */
  readonly sync: boolean
  /** Who is meant by an owner; undefined for those whom nobody has asked for. */
  readonly find: (owner: Owner) => Totalled | undefined
  readonly logger: Logger
}

/**
 * Writes usage to a store in groups, one after the other. A row is added once: a group is stored as a whole, and what
 * could not be stored is kept until it can be.
 */
export class Ledger {
  /** Rows that are not stored yet, those that are the same but for their numbers summed up. */
  private pending = new Map<string, UsageRow>()
  /** Who has used something since the totals were read. */
  private readonly touched = new Map<string, Totalled>()
  private refreshed = 0
  private chain: Promise<unknown> = Promise.resolve()
  private next: Promise<void> | undefined
  private timer: NodeJS.Timeout | undefined
  /** Why the last group could not be stored. */
  private problem: unknown
  private opened: Promise<void> | undefined

  constructor(
    private readonly store: UsageStore,
    private readonly options: LedgerOptions,
  ) {}

  /** @throws config_invalid */
  open(): Promise<void> {
    this.opened ??= this.exclusive(() => this.store.open())
    return this.opened
  }

  /** @throws insufficient_storage where usage must be stored and could not be of late */
  refuseIfFailing(): void {
    if (this.options.sync && this.problem !== undefined) throw notStored(this.problem)
  }

  /** Adds a row. @throws insufficient_storage where it must be stored and cannot be */
  async add(row: UsageRow): Promise<void> {
    const key = [row.key, row.team, row.model, row.day].join('\0')
    this.pending.set(key, sumOf(row, this.pending.get(key)))
    for (const owner of ownersOf(row)) {
      const found = this.options.find(owner)
      if (found) this.touched.set(`${owner.kind} ${owner.name}`, found)
    }
    if (this.options.sync) await this.flush()
    else this.flushIn(groupTime)
  }

  /** Reads what an owner has used into its totals, and how much of the minute. */
  async load(owner: Totalled, day: string): Promise<{ readonly minutes: MinuteUse | undefined }> {
    await this.open()
    return this.exclusive(async () => {
      await this.readTotals([owner], day)
      return { minutes: await this.store.minuteUse(owner) }
    })
  }

  /** Stores what is there to be stored, and closes the store. */
  async close(): Promise<void> {
    clearTimeout(this.timer)
    if (this.opened === undefined) return
    await this.flush().catch(() => undefined)
    clearTimeout(this.timer)
    await this.exclusive(() => this.store.close())
  }

  private flushIn(milliseconds: number): void {
    this.timer ??= setTimeout(() => {
      this.timer = undefined
      void this.flush().catch(() => undefined)
    }, milliseconds).unref()
  }

  /** Stores everything that has been added until it begins. */
  private flush(): Promise<void> {
    this.next ??= this.open().then(() =>
      this.exclusive(() => {
        this.next = undefined
        return this.write()
      }),
    )
    this.next.catch(() => (this.next = undefined))
    return this.next
  }

  private async write(): Promise<void> {
    if (!this.pending.size) return
    const rows = this.pending
    this.pending = new Map()
    try {
      await this.store.add(
        [...rows.values()],
        [...this.touched.values()].map((owner) => owner.minuteUse()),
      )
    } catch (error) {
      for (const [key, row] of rows) this.pending.set(key, sumOf(row, this.pending.get(key)))
      this.failed(error)
      throw notStored(error)
    }
    this.problem = undefined
    await this.refresh()
  }

  private failed(error: unknown): void {
    if (this.problem === undefined)
      this.options.logger.error(
        { err: error },
        'usage cannot be stored; it is counted, and stored once that is possible',
      )
    this.problem = error
    this.flushIn(retryTime)
  }

  private async refresh(): Promise<void> {
    if (performance.now() - this.refreshed < refreshTime) return
    this.refreshed = performance.now()
    const touched = [...this.touched.values()]
    this.touched.clear()
    for (const day of new Set(touched.map((owner) => owner.day)))
      await this.readTotals(
        touched.filter((owner) => owner.day === day),
        day,
      ).catch(() => undefined)
  }

  /** What is stored, and what waits to be: no group is being stored meanwhile. */
  private async readTotals(owners: readonly Totalled[], day: string): Promise<void> {
    const stored = await this.store.totals(owners, day)
    const waiting = [...this.pending.values()]
    for (const [at, owner] of owners.entries()) {
      const own = waiting.filter((row) => (owner.kind === 'key' ? row.key : row.team) === owner.name)
      const totals = stored[at]
      if (totals) owner.totals = own.reduce((sum, row) => totalsWith(sum, row, day), totals)
    }
  }

  /** Runs one after the other, whether those before have failed or not. */
  private exclusive<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.chain.then(work)
    this.chain = result.catch(() => undefined)
    return result
  }
}

const notStored = (cause: unknown): Error => {
  const problem = 'usage cannot be counted: try again later'
  return isStorageFull(cause)
    ? storageFull(problem, cause)
    : failure('insufficient_storage', { problem }, { cause, retryAfter: 1 })
}

const ownersOf = ({ key, team }: UsageRow): Owner[] => [
  { kind: 'key', name: key },
  ...(team ? [{ kind: 'team' as const, name: team }] : []),
]

const sumOf = (one: UsageRow, other: UsageRow | undefined): UsageRow =>
  other
    ? {
        ...one,
        requests: one.requests + other.requests,
        tokensIn: one.tokensIn + other.tokensIn,
        tokensOut: one.tokensOut + other.tokensOut,
        cost: one.cost + other.cost,
      }
    : one

/** The totals of a day and its month with a row, which is of the same month. */
export const totalsWith = (
  { dayTokens, monthTokens, monthCost }: Totals,
  { day, tokensIn, tokensOut, cost }: UsageRow,
  today: string,
): Totals => {
  const tokens = tokensIn + tokensOut
  if (day.slice(0, 7) !== today.slice(0, 7)) return { dayTokens, monthTokens, monthCost }
  return {
    dayTokens: dayTokens + (day === today ? tokens : 0),
    monthTokens: monthTokens + tokens,
    monthCost: monthCost + cost,
  }
}

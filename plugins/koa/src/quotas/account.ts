import { failure } from '@sallyport/core'
import type { SallyportError } from '@sallyport/core'
import type { Clock } from './clock.js'
import type { Totalled } from './ledger.js'
import { MinuteWindow, minute } from './minute-window.js'
import { dayOf, nextDay, nextMonth } from './period.js'
import { effectiveQuota } from './quota.js'
import type { KeyQuota, Quota } from './quota.js'
import type { MinuteUse, Owner, Totals, UsageRow } from './usage-store.js'
import { totalsWith } from './ledger.js'

/** What a request may use of a model. */
export interface Need {
  readonly promptTokens: number
  readonly answerTokens: number
  readonly cost: number
}

export const nothing: Need = { promptTokens: 0, answerTokens: 0, cost: 0 }

/** The state of a quota per minute, as headers tell it; `reset` is milliseconds until all of it is free. */
export interface MinuteState {
  readonly limit: number
  readonly left: number
  readonly reset: number
}

const none: Quota = {}

/** What a key or a team has used, and holds for its running requests, of its quota. */
export class Account implements Totalled {
  readonly kind: Owner['kind']
  readonly name: string
  quota: Quota = none
  /** The owner of the quota, for messages: `the key "ci"`. */
  label = ''
  totals: Totals = { dayTokens: 0, monthTokens: 0, monthCost: 0 }
  /** The day of the totals; empty before they are read. */
  day = ''
  private own: KeyQuota | undefined
  private running = 0
  private heldTokens = 0
  private heldCost = 0
  private requests: MinuteWindow
  private tokens: MinuteWindow

  constructor(
    { kind, name }: Owner,
    private readonly clock: Clock,
  ) {
    this.kind = kind
    this.name = name
    this.requests = new MinuteWindow(clock.steady())
    this.tokens = new MinuteWindow(clock.steady())
  }

  /** Sets what holds for a key: its own quota, and the default where it has none. */
  setOwn(defaults: Quota, own: KeyQuota | undefined): void {
    if (own === this.own && this.quota !== none) return
    this.own = own
    this.quota = own ? effectiveQuota(defaults, own) : defaults
  }

  /** Goes on where an earlier process stopped; a clock that was set back since makes that no worse. */
  resume({ requests, tokens, at }: MinuteUse): void {
    const begun = this.clock.steady() - Math.max(0, this.clock.wall() - at)
    this.requests = new MinuteWindow(begun, requests)
    this.tokens = new MinuteWindow(begun, tokens)
  }

  /** Begins the totals of another day, where nothing is known of it but what they say. */
  beginDay(day: string): void {
    const isSameMonth = day.slice(0, 7) === this.day.slice(0, 7)
    const { monthTokens, monthCost } = this.totals
    this.totals = isSameMonth
      ? { dayTokens: 0, monthTokens, monthCost }
      : { dayTokens: 0, monthTokens: 0, monthCost: 0 }
  }

  minuteUse(): MinuteUse {
    const { kind, name, quota, clock } = this
    const { rpm, tpm } = quota
    const now = clock.steady()
    return {
      ...{ kind, name },
      requests: rpm === undefined ? 0 : this.requests.usedAt(now, rpm),
      tokens: tpm === undefined ? 0 : this.tokens.usedAt(now, tpm),
      at: Math.round(clock.wall()),
    }
  }

  /** @throws rate_limited, quota_exceeded where one more request may not begin */
  refuseRequest(): void {
    const { rpm, running } = this.quota
    const now = this.clock.steady()
    if (rpm !== undefined && this.requests.left(now, rpm) < 1) {
      const wait = this.requests.timeUntil(1, now, rpm)
      throw this.limited(`${rpm} ${plural('request', rpm)} per minute: the next one is free ${inSeconds(wait)}`, wait)
    }
    if (running !== undefined && this.running >= running)
      throw this.limited(`${running} running ${plural('request', running)}: wait for one to end`, 1000)
    this.refuseTokens({ ...nothing, promptTokens: 1 })
  }

  /** @throws rate_limited, quota_exceeded where less is left than the request may need; invalid_request where never */
  refuseTokens(need: Need): void {
    const { tpm, tokensPerDay, tokensPerMonth } = this.quota
    const tokens = need.promptTokens + need.answerTokens
    const { dayTokens, monthTokens } = this.totals
    if (tpm !== undefined) {
      const now = this.clock.steady()
      this.refuseTooLarge(need, tpm, 'minute')
      const wait = this.tokens.timeUntil(tokens, now, tpm)
      if (wait > 0)
        throw this.limited(
          `${tpm} tokens per minute, of which ${Math.floor(this.tokens.left(now, tpm))} are left${needed(tokens)}: ` +
            `free again ${inSeconds(wait)}`,
          wait,
        )
    }
    if (tokensPerDay !== undefined) this.refusePeriod(need, 'day', tokensPerDay, dayTokens)
    if (tokensPerMonth !== undefined) this.refusePeriod(need, 'month', tokensPerMonth, monthTokens)
    this.refuseCost(need.cost)
  }

  /** The most tokens that an answer to such a prompt could ever have. */
  roomFor(promptTokens: number): number {
    const { tpm = Infinity, tokensPerDay = Infinity, tokensPerMonth = Infinity } = this.quota
    return Math.max(0, Math.min(tpm, tokensPerDay, tokensPerMonth) - promptTokens)
  }

  /** Whether tokens or money are limited, for which requests have to be estimated. */
  get countsTokens(): boolean {
    const { tpm, tokensPerDay, tokensPerMonth, budget } = this.quota
    return [tpm, tokensPerDay, tokensPerMonth, budget].some((limit) => limit !== undefined)
  }

  begin(): void {
    this.running += 1
    this.useMinute(this.requests, 1, this.quota.rpm)
  }

  hold({ promptTokens, answerTokens, cost }: Need): void {
    const tokens = promptTokens + answerTokens
    this.heldTokens += tokens
    this.heldCost += cost
    this.useMinute(this.tokens, tokens, this.quota.tpm)
  }

  /** Ends a request: gives back what it held, and counts what it has used. */
  end(held: Need, row: UsageRow): void {
    const heldTokens = held.promptTokens + held.answerTokens
    this.running -= 1
    this.heldTokens -= heldTokens
    this.heldCost -= held.cost
    this.useMinute(this.tokens, row.tokensIn + row.tokensOut - heldTokens, this.quota.tpm)
    this.totals = totalsWith(this.totals, row, this.day)
  }

  get requestState(): MinuteState | undefined {
    return this.stateOf(this.requests, this.quota.rpm)
  }

  get tokenState(): MinuteState | undefined {
    return this.stateOf(this.tokens, this.quota.tpm)
  }

  private stateOf(window: MinuteWindow, limit: number | undefined): MinuteState | undefined {
    if (limit === undefined) return undefined
    const used = window.usedAt(this.clock.steady(), limit)
    return { limit, left: Math.floor(limit - used), reset: (used / limit) * minute }
  }

  private useMinute(window: MinuteWindow, amount: number, limit: number | undefined): void {
    if (limit !== undefined) window.use(amount, this.clock.steady(), limit)
  }

  private refusePeriod(need: Need, period: 'day' | 'month', limit: number, used: number): void {
    this.refuseTooLarge(need, limit, period)
    const tokens = need.promptTokens + need.answerTokens
    if (used + this.heldTokens + tokens <= limit) return
    const left = Math.max(0, limit - used - this.heldTokens)
    const problem = `${limit} tokens per ${period}, of which ${left} are left${needed(tokens)}`
    if (used + tokens <= limit) throw this.limited(`${problem}: wait for running requests to end`, 1000)
    const wall = this.clock.wall()
    const end = period === 'day' ? nextDay(wall) : nextMonth(wall)
    throw this.limited(`${problem}: free again ${untilText(end)}`, end - wall)
  }

  private refuseTooLarge({ promptTokens, answerTokens }: Need, limit: number, period: string): void {
    const tokens = promptTokens + answerTokens
    if (tokens <= limit) return
    const parts = `about ${promptTokens} for the prompt and ${answerTokens} for the answer`
    throw failure('invalid_request', {
      problem:
        `this request may need ${tokens} tokens (${parts}), but ${this.label} has ${limit} per ${period}: ` +
        'shorten the prompt, or lower max_tokens or n',
    })
  }

  private refuseCost(cost: number): void {
    const { budget } = this.quota
    if (budget === undefined) return
    const used = this.totals.monthCost
    const isUsedUp = used >= budget
    if (!isUsedUp && used + this.heldCost + cost <= budget) return
    const wall = this.clock.wall()
    const end = nextMonth(wall)
    const problem = isUsedUp
      ? `${this.label} has used up its budget of ${budget} for this month: free again ${untilText(end)}`
      : `${this.label} has ${money(Math.max(0, budget - used - this.heldCost))} left of its budget of ${budget} for ` +
        `this month, and this request may cost ${money(cost)}: lower max_tokens, or wait ${untilText(end)}`
    const wait = isUsedUp || used + cost > budget ? end - wall : 1000
    throw failure('quota_exceeded', { problem }, { retryAfter: seconds(wait) })
  }

  private limited(quota: string, wait: number): SallyportError {
    return failure('rate_limited', { problem: `${this.label} has ${quota}` }, { retryAfter: seconds(wait) })
  }
}

/** Before its body is read, nobody knows more of a request than that it needs something. */
const needed = (tokens: number) => (tokens > 1 ? `, and this request may need ${tokens}` : '')

const plural = (word: string, count: number) => (count === 1 ? word : `${word}s`)

const seconds = (milliseconds: number) => Math.max(1, Math.ceil(milliseconds / 1000))

const inSeconds = (milliseconds: number) => `in ${seconds(milliseconds)} s`

const untilText = (time: number) => `at ${dayOf(time)}T00:00Z`

/** Six digits are enough for the cost of a token of the cheapest model. */
const money = (amount: number) => String(Number(amount.toPrecision(6)))

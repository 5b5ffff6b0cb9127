import { minOf } from '@sallyport/kit/lists'
import { nothing } from './account.js'
import type { Account, MinuteState, Need } from './account.js'
import type { Clock } from './clock.js'
import { askedAnswers, askedTokens, charactersPerToken, estimatePrompt } from './estimate.js'
import type { Ledger } from './ledger.js'
import { dayOf } from './period.js'
import { rateLimitHeaders } from './rate-limit-headers.js'

export interface ChargeContext {
  /** Absent where usage is not stored. */
  readonly ledger: Ledger | undefined
  readonly clock: Clock
  /** Prices per million tokens. */
  readonly priceOf: (model: string) => { readonly input: number; readonly output: number }
}

/** The model that a request asks. */
export interface AskedModel {
  readonly id: string
  readonly contextLength?: number
  /** Whether it writes; otherwise it only reads. */
  readonly generates: boolean
  /** The most tokens of one answer, where the request does not say. */
  readonly defaultTokens?: number
}

/** What is held for an answer whose request does not say how long it may be, at most. */
const unaskedTokens = 1024

/** What one request holds and uses of the quotas of its key and of the key's team. */
export class Charge {
  private held: Need = nothing
  private state: 'open' | 'begun' | 'ended' = 'open'
  private ending: Promise<void> | undefined
  private body: Readonly<Record<string, unknown>> = {}
  private model = ''
  private reserved = false
  private tokensIn = 0
  private tokensOut = 0
  /** Calls whose input has passed the checks, so that a model works on them, and whose tokens are not known yet. */
  private working = 0
  /** Characters of answers that no model has counted yet. */
  private characters = 0

  constructor(
    private readonly accounts: readonly Account[],
    private readonly context: ChargeContext,
  ) {}

  /** Counts the request. @throws rate_limited, quota_exceeded */
  begin(): void {
    for (const account of this.accounts) account.refuseRequest()
    for (const account of this.accounts) account.begin()
    this.state = 'begun'
  }

  /** Says what is asked, from which the tokens are estimated. */
  asks(body: Readonly<Record<string, unknown>>): void {
    this.body = body
  }

  /** Names a model that is asked, for requests whose tokens nobody counts. */
  names(model: string): void {
    this.model ||= model
  }

  /**
   * Holds what the model may use at most until the request ends. Only the first call does.
   * @throws rate_limited, quota_exceeded; invalid_request where it is more than the quota ever has
   */
  reserve(model: AskedModel): void {
    if (this.reserved) return
    this.reserved = true
    this.model = model.id
    if (!this.accounts.some(({ countsTokens }) => countsTokens)) return
    const need = this.needOf(model)
    for (const account of this.accounts) account.refuseTokens(need)
    for (const account of this.accounts) account.hold(need)
    this.held = need
  }

  /** A model begins to work on a call of the request. */
  works(): void {
    this.working += 1
  }

  /** A model has written so many characters of an answer. */
  writes(characters: number): void {
    this.characters += characters
  }

  /** What a call has used, as the model counted it. */
  uses(tokensIn: number, tokensOut: number): void {
    this.tokensIn += tokensIn
    this.tokensOut += tokensOut
    this.working = Math.max(0, this.working - 1)
    this.characters = 0
  }

  /**
   * Gives back what was held and not used, and counts what was used: of calls that were cut, what was written and the
   * prompt, by estimates.
   * @throws insufficient_storage where usage must be stored and cannot be
   */
  end(): Promise<void> {
    this.ending ??= this.state === 'begun' ? this.count() : Promise.resolve()
    return this.ending
  }

  /** What is left per minute, of the key or the team that has less. */
  headers(): Record<string, string> {
    const least = (states: readonly (MinuteState | undefined)[]) =>
      states.reduce((one, other) => (other && (!one || other.left < one.left) ? other : one), undefined)
    return rateLimitHeaders(
      least(this.accounts.map((account) => account.requestState)),
      least(this.accounts.map((account) => account.tokenState)),
    )
  }

  private async count(): Promise<void> {
    this.state = 'ended'
    const cut = this.reserved && this.working > 0 && this.tokensIn === 0
    const tokensIn = cut ? estimatePrompt(this.body) : this.tokensIn
    const tokensOut = this.tokensOut + Math.ceil(this.characters / charactersPerToken)
    const [key, team] = this.accounts
    const row = {
      day: dayOf(this.context.clock.wall()),
      key: key?.name ?? '',
      team: team?.name ?? '',
      model: this.model,
      requests: 1,
      ...{ tokensIn, tokensOut, cost: this.costOf(tokensIn, tokensOut) },
    }
    for (const account of this.accounts) account.end(this.held, row)
    await this.context.ledger?.add(row)
  }

  private needOf({ contextLength = Infinity, generates, defaultTokens }: AskedModel): Need {
    const promptTokens = estimatePrompt(this.body)
    if (!generates) return { promptTokens, answerTokens: 0, cost: this.costOf(promptTokens, 0) }
    const answers = askedAnswers(this.body)
    const rest = Math.max(1, contextLength - promptTokens)
    const asked = askedTokens(this.body) ?? this.unasked(defaultTokens ?? unaskedTokens, promptTokens, answers)
    const answerTokens = Math.min(asked, rest) * answers
    return { promptTokens, answerTokens, cost: this.costOf(promptTokens, answerTokens) }
  }

  /** What is held for each answer whose length nobody says: no more than the quotas could ever have. */
  private unasked(tokens: number, promptTokens: number, answers: number): number {
    const most = minOf(this.accounts.map((account) => account.roomFor(promptTokens)))
    return Math.min(tokens, Math.max(1, Math.floor(most / answers)))
  }

  private costOf(tokensIn: number, tokensOut: number): number {
    const { input, output } = this.context.priceOf(this.model)
    return (tokensIn * input + tokensOut * output) / 1e6
  }
}

import { failure } from '@sallyport/core'
import type { Logger } from '@sallyport/core'
import { Account } from './account.js'
import { Charge } from './charge.js'
import type { ChargeContext } from './charge.js'
import { systemClock } from './clock.js'
import type { Clock } from './clock.js'
import { Ledger } from './ledger.js'
import { dayOf } from './period.js'
import type { KeyQuota, QuotasOptions } from './quota.js'
import type { Owner, UsageStore } from './usage-store.js'

/** The caller of a request, and what it may use. */
export interface Charged {
  /** The id of the key. */
  readonly tenant: string
  /** The key's name, for messages. */
  readonly name?: string
  readonly team?: string
  readonly quota?: KeyQuota
}

/** Keeps keys and teams within their quotas, and counts what they use. */
export class Quotas {
  private readonly accounts = new Map<string, Account>()
  private readonly ledger: Ledger | undefined
  private readonly context: ChargeContext

  /** @param store where usage is kept; without it, what was used is forgotten with the process */
  constructor(
    private readonly options: QuotasOptions,
    store: UsageStore | undefined,
    private readonly logger: Logger,
    private readonly clock: Clock = systemClock,
  ) {
    const find = ({ kind, name }: Owner) => this.accounts.get(`${kind} ${name}`)
    this.ledger = store && new Ledger(store, { sync: options.sync, find, logger })
    this.context = { ledger: this.ledger, clock, priceOf: (model) => this.priceOf(model) }
  }

  /**
   * Opens the store. Where nothing is limited, a store that cannot be used is no reason not to serve.
   * @throws config_invalid
   */
  async prepare(): Promise<void> {
    try {
      await this.ledger?.open()
    } catch (error) {
      const { default: quota, teams, sync } = this.options
      if (sync || Object.keys(quota).length || Object.keys(teams).length) throw error
      this.logger.warn({ err: error }, 'usage is not stored, and quotas of keys begin anew with each start')
    }
  }

  close(): Promise<void> {
    return this.ledger?.close() ?? Promise.resolve()
  }

  /** How many turns a key has in the queue, where one of weight 1 has one. */
  weightOf(tenant: string): number {
    return this.accounts.get(`key ${tenant}`)?.quota.weight ?? 1
  }

  /**
   * Opens the charge of a request.
   * @throws forbidden where the configuration does not have the key's team; insufficient_storage where usage must be
   * stored and cannot be
   */
  async open(identity: Charged): Promise<Charge> {
    this.ledger?.refuseIfFailing()
    const { tenant, name, team, quota } = identity
    const key = this.account('key', tenant)
    if (key.day !== this.today) await this.load(key)
    key.setOwn(this.options.default, quota)
    key.label = name === undefined ? 'this caller' : `the key "${name}"`
    if (team === undefined) return new Charge([key], this.context)
    const group = this.teamAccount(team)
    if (group.day !== this.today) await this.load(group)
    return new Charge([key, group], this.context)
  }

  private get today(): string {
    return dayOf(this.clock.wall())
  }

  private teamAccount(name: string): Account {
    const quota = Object.hasOwn(this.options.teams, name) ? this.options.teams[name] : undefined
    if (!quota) {
      const problem = `the team "${name}" of this key is not in the configuration (server.quotas.teams): add it there`
      throw failure('forbidden', { problem })
    }
    const account = this.account('team', name)
    account.quota = quota
    account.label = `the team "${name}"`
    return account
  }

  private account(kind: Owner['kind'], name: string): Account {
    const id = `${kind} ${name}`
    const known = this.accounts.get(id)
    if (known) return known
    const account = new Account({ kind, name }, this.clock)
    this.accounts.set(id, account)
    return account
  }

  /** Reads what the account has used today and in this month. */
  private async load(account: Account): Promise<void> {
    const { today } = this
    const loaded = await this.ledger?.load(account, today).catch(() => undefined)
    if (account.day === today) return
    if (account.day === '' && loaded?.minutes) account.resume(loaded.minutes)
    if (!loaded) account.beginDay(today)
    account.day = today
  }

  private priceOf(model: string): { readonly input: number; readonly output: number } {
    const { prices } = this.options
    return (Object.hasOwn(prices, model) ? prices[model] : undefined) ?? { input: 0, output: 0 }
  }
}

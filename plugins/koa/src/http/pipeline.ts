/** The pipeline of a request: authenticate, admit, read, run, answer. */

import type { ServerResponse } from 'node:http'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { failure } from '@sallyport/core'
import type { Kernel, Logger } from '@sallyport/core'
import { Pacer } from '@sallyport/kit/async'
import { OutboundFetch } from '@sallyport/outbound'
import type { RequestAudits } from '../audit/request-audit.js'
import { anyone } from '../auth/credential.js'
import type { Authenticator, Identity } from '../auth/credential.js'
import { KeyWatch } from '../auth/key-watch.js'
import { WrongKeys } from '../auth/wrong-keys.js'
import { parseBody } from '../body/parse.js'
import type { JsonObject } from '../schemas/schema.js'
import { bodyReader } from '../body/read.js'
import type { BodyReader } from '../body/read.js'
import { Admission, maxPerKey } from '../limits/admission.js'
import { ByteBudget } from '../limits/byte-budget.js'
import type { ByteReservation } from '../limits/byte-budget.js'
import { documentCache } from '../openapi/document.js'
import type { ServerOptions } from '../options.js'
import type { Charge } from '../quotas/charge.js'
import { Quotas } from '../quotas/quotas.js'
import type { UsageStore } from '../quotas/usage-store.js'
import { ResponseStore } from '../response-store/response-store.js'
import { Exchange } from '../routes/exchange.js'
import type { ExchangeContext } from '../routes/exchange.js'
import { servedRoutes } from '../routes/index.js'
import { settingsOf } from '../routes/route.js'
import type { BoundRoute, Route, Run } from '../routes/route.js'
import { bodyHasEnded } from './body-end.js'
import type { FormFields } from '../upload/fields.js'
import { refuseSafeguardHeaders } from '../upload/header-safeguards.js'
import { Uploads } from '../upload/uploads.js'
import { sendAnswer, sendStream } from './send-answer.js'
import type { RequestContext } from './state.js'
import { asksForReceipt } from '../safeguards/receipts.js'

export interface PipelineDependencies {
  readonly kernel: Kernel
  readonly options: ServerOptions
  /** Absent where authentication is off. */
  readonly keys: Authenticator | undefined
  /** 32 bytes to encrypt stored responses; absent where the server has no state directory. */
  readonly secret: Uint8Array | undefined
  /** Absent where requests are not audited. */
  readonly audits: RequestAudits | undefined
  /** Keeps what keys use; absent where the server has no state directory. */
  readonly usage: UsageStore | undefined
  readonly logger: Logger
  readonly routes: readonly Route[]
}

/** The context of an exchange that only requests with a body have. */
type RequestExtras = Partial<Pick<ExchangeContext, 'charge' | 'reserve' | 'upload'>>

/** Bodies of at least this many bytes are parsed in steps, with turns for other requests in between. */
const largeBody = 64 * 1024

export class Pipeline {
  private readonly admission: Admission
  private readonly quotas: Quotas
  private readonly wrongKeys: WrongKeys
  private readonly bodyBudget: ByteBudget
  private readonly readBody: BodyReader
  private readonly uploads: Uploads
  private readonly document: () => object
  private readonly fetch: OutboundFetch | undefined
  private readonly keyWatch: KeyWatch | undefined
  private responses: ResponseStore | undefined
  private readonly bound: BoundRoute[] = []

  constructor(private readonly dependencies: PipelineDependencies) {
    const { keys, options, usage, logger } = dependencies
    const { limits, timeouts, fetch, quotas } = options
    this.quotas = new Quotas(quotas, usage, logger)
    this.wrongKeys = new WrongKeys(limits.wrongKeys)
    const admitted = keys ? { perKey: maxPerKey(limits.concurrency), ...limits } : limits
    this.admission = new Admission(admitted, (tenant) => this.quotas.weightOf(tenant))
    const { body: maxEach, bodies: maxTotal } = limits
    this.bodyBudget = new ByteBudget({ maxEach, maxTotal }, keys ? maxPerKey(maxTotal) : maxTotal)
    this.readBody = bodyReader(limits.body, timeouts.body)
    this.uploads = new Uploads(dependencies.kernel, options, this.bodyBudget, keys !== undefined)
    this.document = documentCache(dependencies)
    this.keyWatch = keys && new KeyWatch(keys)
    this.fetch = fetch.images ? new OutboundFetch(fetch) : undefined
  }

  handlerFor(route: Route): (ctx: RequestContext) => Promise<void> {
    const bound = route.bind(settingsOf(this.dependencies.kernel, this.dependencies.options))
    this.bound.push(bound)
    return async (ctx) => {
      ctx.state.route = route
      const identity = route.access === 'open' ? anyone : this.identify(ctx)
      this.refuseWhileDraining(route, ctx)
      const { capability } = route
      if (capability !== undefined && !this.dependencies.kernel.capabilities.has(capability))
        throw failure('capability_missing', { capability })
      if (!route.needsAdmission) await this.runAtOnce(ctx, identity, bound.run)
      else if (bound.form) await this.runForm(ctx, identity, bound.run, bound.form)
      else await this.runBody(ctx, identity, bound.run)
    }
  }

  /** Opens and checks the storage that requests will need. @throws config_invalid */
  async prepare(): Promise<void> {
    this.openResponses()
    await this.quotas.prepare()
    await this.uploads.prepare()
  }

  /** Opens the store of responses; before that none are stored. @throws config_invalid */
  openResponses(): void {
    const { options, keys, secret, logger } = this.dependencies
    const { store } = options.responses
    if (!store) return
    const { path, expireAfter, bytes } = store
    const limits = { expireAfter, bytes, perTenant: keys ? maxPerKey(bytes) : bytes }
    this.responses = new ResponseStore(path, limits, logger, secret)
  }

  async close(): Promise<void> {
    this.responses?.close()
    await this.quotas.close()
  }

  /** Compiles every schema, with turns for requests in between. */
  async warmUp(): Promise<void> {
    for (const { warmUp } of this.bound) {
      warmUp()
      await nextTurn()
    }
  }

  /** @throws unauthenticated, rate_limited */
  identify({ req, res, state }: RequestContext): Identity {
    const { audits, keys } = this.dependencies
    if (audits) state.audit ??= audits.begin({ req, res, state })
    const identity = keys ? this.wrongKeys.authenticate(req, keys) : anyone
    state.audit?.identify(identity)
    return identity
  }

  private refuseWhileDraining({ access }: Route, { res }: RequestContext): void {
    const { state } = this.dependencies.kernel
    if (state !== 'draining' && state !== 'stopped') return
    res.setHeader('connection', 'close')
    if (access !== 'open') throw failure('not_ready', { state: 'draining' })
  }

  private async runAtOnce(ctx: RequestContext, identity: Identity, run: Run): Promise<void> {
    // GET requests may have a body, which is ignored.
    if (!(await bodyHasEnded(ctx.req))) ctx.res.setHeader('connection', 'close')
    const exchange = this.openExchange(ctx, identity)
    await ctx.state.audit?.admit(exchange)
    await sendAnswer(ctx.res, exchange, await run({}, exchange))
  }

  private async runBody(ctx: RequestContext, identity: Identity, run: Run): Promise<void> {
    this.admission.refuseIfFull(identity.tenant)
    await this.charged(ctx, identity, async (charge) => {
      const reservation = this.bodyBudget.reserveBody(ctx.req, identity.tenant)
      try {
        refuseSafeguardHeaders(ctx.req.headers)
        const body = await this.read(ctx, identity, reservation)
        const exchange = this.openExchange(ctx, identity, { charge, reserve: (bytes) => reservation.grow(bytes) })
        await this.answer(ctx, exchange, body, run)
      } finally {
        reservation.release()
      }
    })
  }

  private async runForm(ctx: RequestContext, identity: Identity, run: Run, form: FormFields): Promise<void> {
    this.admission.refuseIfFull(identity.tenant)
    await this.charged(ctx, identity, (charge) =>
      this.uploads.with(ctx.req, form, identity.tenant, ({ body, upload }) =>
        this.answer(ctx, this.openExchange(ctx, identity, { charge, upload }), body, run),
      ),
    )
  }

  /** Does the work within the caller's quota, and counts what it uses, however it ends. */
  private async charged(
    { res }: RequestContext,
    identity: Identity,
    work: (charge: Charge) => Promise<void>,
  ): Promise<void> {
    const charge = await this.quotas.open(identity)
    try {
      charge.begin()
      await work(charge)
    } finally {
      tellLimits(res, charge)
      // An answer that waited for it has failed with it.
      await charge.end().catch(() => undefined)
    }
  }

  /** Waits for a slot, runs the handler, and sends its answer. */
  private async answer(ctx: RequestContext, exchange: Exchange, body: JsonObject, run: Run): Promise<void> {
    const { charge, identity, signal } = exchange.context
    charge?.asks(body)
    const work = async () => {
      await ctx.state.audit?.admit(exchange, body)
      const result = await run(body, exchange)
      if (result.kind !== 'events') return result
      if (charge) tellLimits(ctx.res, charge)
      await sendStream(ctx.res, exchange, result)
      return undefined
    }
    const answer = await this.admission.run(identity.tenant, signal, work, ctx.state.observed)
    if (!answer) return
    await charge?.end()
    if (charge) tellLimits(ctx.res, charge)
    await sendAnswer(ctx.res, exchange, answer)
  }

  private async read(ctx: RequestContext, { tenant }: Identity, reservation: ByteReservation): Promise<JsonObject> {
    const bytes = await this.readBody(ctx)
    reservation.resize(bytes.length)
    const reserve = (more: number) => reservation.grow(more)
    if (bytes.length < largeBody) return parseBody(bytes, { reserve })
    const pacer = new Pacer({ tenant, signal: new AbortController().signal })
    return parseBody(bytes, { reserve, pause: () => pacer.pause() })
  }

  private openExchange(ctx: RequestContext, identity: Identity, extras: RequestExtras = {}): Exchange {
    const { kernel, options, logger } = this.dependencies
    const { res, state } = ctx
    const { audit } = state
    const { charge } = extras
    // A response that is already closed emits no further event.
    if (res.closed) throw failure('client_closed', {})
    const controller = new AbortController()
    const unwatch = this.watchKey(ctx, identity, controller)
    res.once('close', () => {
      unwatch?.()
      if (!res.writableFinished) controller.abort(failure('client_closed', {}))
    })
    state.exchange = new Exchange({
      kernel,
      options,
      identity,
      policies: [options.policies[state.route?.path ?? ''], identity.policy].filter((name) => name !== undefined),
      dialect: state.dialect,
      requestId: state.requestId,
      trace: state.observed.trace,
      logger,
      receipt: state.route?.needsAdmission === true && asksForReceipt(ctx.req.headers),
      signal: controller.signal,
      charge,
      beforeEnd:
        (audit ?? charge) &&
        (async (error) => {
          // A failure is told once: the end of an answer that failed waits, and does not fail again.
          await (error === undefined ? charge?.end() : charge?.end().catch(() => undefined))
          await audit?.end(error)
        }),
      params: ctx['params'] as Record<string, string>,
      served: () => servedRoutes(this.dependencies.routes, kernel.capabilities),
      document: this.document,
      responses: this.responses,
      fetch: this.fetch,
      reserve: extras.reserve ?? (() => undefined),
      upload: extras.upload,
    })
    return state.exchange
  }

  /** @throws unauthenticated where the key was revoked or expired while the body arrived */
  private watchKey(ctx: RequestContext, identity: Identity, controller: AbortController): (() => void) | undefined {
    if (!this.keyWatch || identity === anyone) return undefined
    this.identify(ctx)
    return this.keyWatch.watch({ headers: ctx.req.headers, identity, abort: (error) => controller.abort(error) })
  }
}

/** Tells what is left of the caller's quotas per minute. */
const tellLimits = (response: ServerResponse, charge: Charge): void => {
  if (response.headersSent) return
  for (const [name, value] of Object.entries(charge.headers())) response.setHeader(name, value)
}

import type { IncomingMessage, ServerResponse } from 'node:http'
import { failure, isSallyportError, moreSevereVerdict, sumFindings } from '@sallyport/core'
import type { ErrorCode, Logger, Verdict } from '@sallyport/core'
import { anyone } from '../auth/credential.js'
import type { Identity } from '../auth/credential.js'
import type { KeyStore } from '../auth/key-store.js'
import type { Dialect } from '../dialects/dialect.js'
import { publicError } from '../dialects/errors.js'
import { roundedMilliseconds } from '../dialects/values.js'
import type { Exchange } from '../routes/exchange.js'
import type { Route } from '../routes/route.js'
import { findModel } from '../safeguards/detectors.js'
import { groupVerdicts } from '../safeguards/receipts.js'
import type { JsonObject } from '../schemas/schema.js'
import { AuditLog } from './audit-log.js'
import type { AuditLogOptions } from './audit-log.js'
import { signerOf } from './signature.js'

/** A request as the pipeline has it. */
interface AuditedContext {
  readonly req: IncomingMessage
  readonly res: ServerResponse
  readonly state: { readonly requestId: string; readonly dialect: Dialect; readonly route?: Route }
}

/** The lines of requests: one when a request is admitted and one at its end, or one where it is refused. */
export class RequestAudits {
  private readonly admitted = new Set<RequestAudit>()

  private constructor(private readonly log: AuditLog) {}

  /** @throws config_invalid where the log is in use, or cannot be opened */
  static open(options: AuditLogOptions, store: KeyStore, logger: Logger): RequestAudits {
    return new RequestAudits(AuditLog.open(options, signerOf(store), logger))
  }

  begin(ctx: AuditedContext): RequestAudit {
    return new RequestAudit(this.log, ctx, this.admitted)
  }

  /** Records the end of the requests that still run, and closes the log. */
  async close(): Promise<void> {
    await Promise.allSettled(
      Array.from(this.admitted, (request) => request.end(failure('not_ready', { state: 'draining' }))),
    )
    await this.log.close()
  }
}

/** Records names, numbers and ids of one request, and nothing that it or its answer says. */
export class RequestAudit {
  private readonly started = performance.now()
  private identity: Identity | undefined
  private exchange: Exchange | undefined
  private admission: number | undefined
  private hasEnded = false

  constructor(
    private readonly log: AuditLog,
    private readonly ctx: AuditedContext,
    private readonly admitted: Set<RequestAudit>,
  ) {}

  /** Until this is called, the request counts as one without a valid key. */
  identify(identity: Identity): void {
    this.identity = identity
  }

  /** Resolves when the request may run. @throws insufficient_storage where no request may run without its line */
  async admit(exchange: Exchange, { model: name }: JsonObject = {}): Promise<void> {
    // A name that no model has could be anything.
    const model = typeof name === 'string' ? findModel(exchange.models(), name)?.id : undefined
    const { policies } = exchange.context
    this.admission = await this.append({
      kind: 'admitted',
      ...this.request(),
      model,
      policies: policies.length ? policies : undefined,
    })
    this.exchange = exchange
    this.admitted.add(this)
  }

  /**
   * Records the end, the first time that it is called; resolves when the last byte of the answer may leave.
   * @throws insufficient_storage where no answer may end without its line, and there is no other error
   */
  async end(error?: unknown): Promise<void> {
    if (this.hasEnded) return
    this.hasEnded = true
    this.admitted.delete(this)
    const reason = error ?? (this.ctx.res.destroyed ? failure('client_closed', {}) : undefined)
    const line = this.append(this.exchange ? this.ended(this.exchange, reason) : this.refused(reason))
    await (error === undefined ? line : line.catch(() => undefined))
  }

  private append(event: Parameters<AuditLog['append']>[0]): Promise<number | undefined> {
    const line = this.log.append(event)
    return this.log.strict ? line : line.catch(() => undefined)
  }

  private refused(error: unknown) {
    return { kind: 'refused', ...this.request(), ...this.outcome(error) } as const
  }

  private ended({ context, model, usage, verdicts }: Exchange, error: unknown) {
    return {
      kind: 'ended',
      admitted: this.admission,
      ...this.request(),
      model,
      policies: context.policies.length ? context.policies : undefined,
      ...this.outcome(error),
      done: whatWasDone(verdicts, error),
      verdicts: verdicts.length ? summaryOf(verdicts) : undefined,
      tokens: usage && { in: usage.promptTokens, out: usage.completionTokens ?? 0 },
    } as const
  }

  private request() {
    const { req, state } = this.ctx
    return {
      request: state.requestId,
      who: whoIs(this.identity),
      address: req.socket.remoteAddress ?? 'unknown',
      method: req.method,
      route: state.route ? state.dialect.prefix + state.route.path : 'none',
    }
  }

  private outcome(error: unknown) {
    const { res, state } = this.ctx
    const code = codeOf(error)
    const status =
      error === undefined || res.headersSent ? res.statusCode : state.dialect.status(publicError(error, ''))
    return {
      status: code === 'client_closed' ? 499 : status,
      code,
      ms: roundedMilliseconds(performance.now() - this.started),
    }
  }
}

const whoIs = (identity: Identity | undefined) => {
  if (!identity) return 'unauthenticated'
  if (identity === anyone) return identity.tenant
  const { tenant: key, name } = identity
  return { key, name }
}

const codeOf = (error: unknown): ErrorCode | undefined =>
  error === undefined ? undefined : isSallyportError(error) ? error.code : 'internal'

type Done = 'passed' | 'replaced' | 'blocked' | 'aborted' | 'failed'

/** `aborted` is what the client did; `failed` is an answer that is an error, but for a blocked one. */
const whatWasDone = (verdicts: readonly Verdict[], error: unknown): Done => {
  const enforced = (wanted: Verdict['verdict']) =>
    verdicts.some(({ mode, verdict }) => mode === 'enforce' && verdict === wanted)
  const code = codeOf(error)
  if (code === 'client_closed') return 'aborted'
  if (code === 'content_blocked' || enforced('block')) return 'blocked'
  if (code !== undefined) return 'failed'
  return enforced('replace') ? 'replaced' : 'passed'
}

/** One entry per check, stage, policy and mode, over all texts: the most severe verdict, and the sums of its counts. */
const summaryOf = (verdicts: readonly Verdict[]) =>
  groupVerdicts(verdicts, ({ check, stage, policy = '', mode }) => `${check} ${stage} ${policy} ${mode}`).map(
    (group) => {
      const { check, stage, policy, verdict, mode } = group.reduce((one, other) => moreSevereVerdict(one, other))
      const findings = group.reduce<Record<string, number>>((sum, one) => sumFindings(sum, one.findings ?? {}), {})
      return { check, stage, policy, verdict, mode, findings: Object.keys(findings).length ? findings : undefined }
    },
  )

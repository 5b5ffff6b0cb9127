import { failure, isSallyportError, systemCode } from '@sallyport/core'
import type { Call, Logger, SallyportError } from '@sallyport/core'
import type { WireBody } from '../wire/generation.js'
import { BadReply } from '../wire/read.js'
import type { ReplyTimeouts } from './exchange.js'
import { explainRefusal } from './refusal-errors.js'
import { loggableText } from './log-text.js'
import { Refusal } from './refusal.js'
import { isUnreachable } from './retry.js'
import type { Redact } from './secrets.js'

/** Seconds after which a server that cannot be reached is worth another try. */
const unreachableRetry = 5

const isCertificateCode = (code: string) => /CERT|SIGNATURE|_TLS_|_SSL_/.test(code)

/** Maps errors of the server behind one model to errors of the table, and logs them. */
export class ErrorMapper {
  constructor(
    private readonly model: string,
    private readonly logger: Logger,
    private readonly redact: Redact,
  ) {}

  timeoutError: ReplyTimeouts['timeoutError'] = (what, seconds) =>
    this.#failed(
      what === 'idle' ? `it sent nothing for ${seconds} seconds` : `its answer did not begin within ${seconds} seconds`,
    )

  tookTooLong(seconds: number): SallyportError {
    return failure('deadline_exceeded', { limit: `${seconds} seconds` })
  }

  /** Returns the error to throw; the reason of the signal where the call was aborted. */
  toThrow(error: unknown, request: WireBody, { signal, requestId }: Pick<Call, 'signal' | 'requestId'>): unknown {
    if (signal.aborted) return signal.reason
    if (isSallyportError(error)) {
      this.logger.warn({ requestId, problem: error.message }, 'a call of the upstream server failed')
      return error
    }
    if (error instanceof Refusal) return this.#refused(error, request, requestId)
    if (error instanceof BadReply) {
      this.logger.warn({ requestId, problem: error.message }, 'the upstream server sent a bad answer')
      return this.#failed(error.message)
    }
    const code = systemCode(error)
    return code === undefined ? error : this.#disconnected(error, code, requestId)
  }

  #refused(refusal: Refusal, request: WireBody, requestId: string): SallyportError {
    const { error, misconfigured } = explainRefusal(refusal, this.model)
    const { status, code, type, param } = refusal.details
    const shown = (word: string | undefined) => word && loggableText(this.redact(word), request)
    const fields = { requestId, status, code: shown(code) }
    if (misconfigured) this.logger.error(fields, "the upstream server refuses this server's configuration")
    else this.logger.warn(fields, 'the upstream server refused a request')
    const said = loggableText(refusal.text(this.redact), request)
    const debugFields = { requestId, type: shown(type), param: shown(param), said }
    this.logger.debug(debugFields, 'the error text of the upstream server')
    return error
  }

  /** Only the code becomes the cause, because undici's errors may contain what the server sent. */
  #disconnected(error: unknown, code: string, requestId: string): SallyportError {
    const cause = new Error(code)
    if (isCertificateCode(code)) {
      this.logger.error({ requestId, code }, "the upstream server's certificate is not trusted")
      return this.#failed('a secure connection to it is not possible', cause)
    }
    this.logger.warn({ requestId, code }, 'no connection to the upstream server')
    if (!isUnreachable(error)) return this.#failed('the connection to it broke off', cause)
    const problem = 'the server behind it cannot be reached'
    return failure('model_unavailable', { model: this.model, problem }, { cause, retryAfter: unreachableRetry })
  }

  #failed(problem: string, cause?: unknown): SallyportError {
    return failure('upstream_failed', { model: this.model, problem }, cause === undefined ? {} : { cause })
  }
}

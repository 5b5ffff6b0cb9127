import { isSallyportError } from '@sallyport/core'
import type { ToolLoopEvent } from '@sallyport/tool-loop'
import type { ExchangeContext } from '../exchange.js'

/** The same events; why tools failed goes to the log. */
export async function* logFailedCalls(
  loop: AsyncIterable<ToolLoopEvent>,
  { logger, requestId }: Pick<ExchangeContext, 'logger' | 'requestId'>,
): AsyncGenerator<ToolLoopEvent> {
  for await (const event of loop) {
    if (event.type === 'call_ended' && event.cause !== undefined) {
      const { call, cause } = event
      const fields = { requestId, server: call.server, tool: call.name }
      const code = isSallyportError(cause) ? { code: cause.code } : {}
      logger.warn({ ...fields, ...code, error: causeOf(cause) }, 'a call of a tool failed')
    }
    yield event
  }
}

const causeOf = (error: unknown): unknown => (isSallyportError(error) ? (error.cause ?? error) : error)

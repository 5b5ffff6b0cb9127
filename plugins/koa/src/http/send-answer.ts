import type { ServerResponse } from 'node:http'
import { publicError } from '../dialects/errors.js'
import type { ServerOptions } from '../options.js'
import { slicesOf } from '../routes/answer.js'
import type { Answer } from '../routes/answer.js'
import type { Exchange } from '../routes/exchange.js'
import { safeguardsHeader } from '../safeguards/receipts.js'
import { sendEvents } from './send-events.js'
import { errorContextOf, receiptMember, withReceiptChunk } from './state.js'
import type { RequestContext } from './state.js'
import { sendChunks } from './writer.js'

type Timeouts = ServerOptions['timeouts']

export const sendAnswer = async (
  ctx: RequestContext,
  exchange: Exchange,
  answer: Answer,
  timeouts: Timeouts,
): Promise<void> => {
  const { res } = ctx
  const { slowReader } = timeouts
  for (const [name, value] of Object.entries(safeguardHeaders(exchange))) res.setHeader(name, value)
  switch (answer.kind) {
    case 'json':
      return sendJson(res, [JSON.stringify(answer.body)], exchange, slowReader)
    case 'chunks':
      return sendJson(res, answer.chunks, exchange, slowReader)
    case 'events':
      return sendStream(ctx, exchange, answer, timeouts)
    case 'text':
      return sendChunks(res, { type: 'text/plain; charset=utf-8', chunks: slicesOf(answer.text) }, slowReader)
    case 'empty':
      res.writeHead(204).end()
  }
}

/** Sends a stream of events; resolves when it has ended. */
export const sendStream = (
  { res, state }: RequestContext,
  exchange: Exchange,
  answer: Extract<Answer, { kind: 'events' }>,
  { comment, slowReader }: Timeouts,
): Promise<void> =>
  sendEvents(res, {
    events: answer.events(() => receiptMember(exchange)),
    named: answer.named === true && state.dialect.namedEvents,
    inputPassed: exchange.inputPassed,
    headers: () => safeguardHeaders(exchange),
    describe: (error) => ({
      ...state.dialect.errorBody(publicError(error, errorContextOf(state))),
      ...receiptMember(exchange),
    }),
    slowReaderTimeout: slowReader,
    signal: exchange.context.signal,
    ...(state.dialect.keepAliveComments ? { comment } : {}),
  })

const sendJson = (
  res: ServerResponse,
  chunks: Iterable<string>,
  exchange: Exchange,
  slowReader: number,
): Promise<void> =>
  sendChunks(res, { type: 'application/json', chunks: withReceiptChunk(chunks, exchange) }, slowReader)

const safeguardHeaders = ({ verdicts }: Exchange): Record<string, string> => {
  const header = safeguardsHeader(verdicts)
  return header === undefined ? {} : { 'x-safeguards': header }
}

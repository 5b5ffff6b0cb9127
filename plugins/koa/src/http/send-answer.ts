import type { ServerResponse } from 'node:http'
import { publicError } from '../dialects/errors.js'
import { slicesOf } from '../routes/answer.js'
import type { Answer } from '../routes/answer.js'
import type { Exchange } from '../routes/exchange.js'
import { sendEvents } from './send-events.js'
import { receiptMember, safeguardHeaders, withReceiptChunk } from './state.js'
import { sendChunks } from './writer.js'

export const sendAnswer = async (response: ServerResponse, exchange: Exchange, answer: Answer): Promise<void> => {
  const { beforeEnd, options } = exchange.context
  const { slowReader } = options.timeouts
  const sendJson = (chunks: Iterable<string>) =>
    sendChunks(response, 'application/json', withReceiptChunk(chunks, exchange), slowReader, beforeEnd)
  for (const [name, value] of Object.entries(safeguardHeaders(exchange))) response.setHeader(name, value)
  switch (answer.kind) {
    case 'json':
      return sendJson([JSON.stringify(answer.body)])
    case 'chunks':
      return sendJson(answer.chunks)
    case 'events':
      return sendStream(response, exchange, answer)
    case 'text':
      return sendChunks(response, 'text/plain; charset=utf-8', slicesOf(answer.text), slowReader, beforeEnd)
    case 'empty':
      response.statusCode = 204
      await beforeEnd?.()
      response.end()
  }
}

/** Sends a stream of events; resolves when it has ended. */
export const sendStream = (
  response: ServerResponse,
  exchange: Exchange,
  answer: Extract<Answer, { kind: 'events' }>,
): Promise<void> => {
  const { dialect, requestId, signal, options, beforeEnd } = exchange.context
  const { comment, slowReader } = options.timeouts
  return sendEvents(response, {
    events: answer.events(() => receiptMember(exchange)),
    named: answer.named === true && dialect.namedEvents,
    inputPassed: exchange.inputPassed,
    headers: () => safeguardHeaders(exchange),
    describe: (error) => ({
      ...dialect.errorBody(publicError(error, requestId, exchange.wireField)),
      ...receiptMember(exchange),
    }),
    slowReaderTimeout: slowReader,
    signal,
    ...(dialect.keepAliveComments ? { comment } : {}),
    ...(beforeEnd ? { beforeEnd } : {}),
  })
}

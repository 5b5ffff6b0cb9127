import { createServer } from 'node:http'
import type { ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { later } from '@sallyport/stand-ins/promises'
import { expect } from 'chai'
import { sendEvents } from '../../src/http/send-events.js'
import { sendChunks } from '../../src/http/writer.js'
import { openRaw } from '../support/server.js'

type Send = (response: ServerResponse, beforeEnd: () => Promise<void>) => Promise<void>

async function* failing() {
  yield { one: 1 }
  await Promise.resolve()
  throw new Error('broken')
}

async function* whole() {
  yield { one: 1 }
  await Promise.resolve()
}

const events =
  (source: () => AsyncIterable<object>, named: boolean): Send =>
  (response, beforeEnd) =>
    sendEvents(response, {
      events: source(),
      named,
      inputPassed: Promise.resolve(),
      headers: () => ({}),
      describe: () => ({ failed: true }),
      slowReaderTimeout: 10,
      beforeEnd,
    })

const chunks =
  (text: string): Send =>
  (response, beforeEnd) =>
    sendChunks(response, 'text/plain', [text, text], 10, beforeEnd)

/** What must not have come before the end is recorded. */
const cases: Readonly<Record<string, readonly [Send, end: RegExp]>> = {
  'a short answer': [chunks('word'), /word/],
  'a long answer': [chunks('word'.repeat(20_000)), /\r\n0\r\n\r\n/],
  'a stream': [events(whole, false), /\[DONE\]/],
  'a stream of named events': [events(whole, true), /\r\n0\r\n\r\n/],
  'a stream that fails': [events(failing, false), /failed|\r\n0\r\n\r\n/],
}

describe('the last byte of an answer', () => {
  for (const [what, [send, end]] of Object.entries(cases))
    it(`waits until the end of the request is recorded: ${what}`, async () => {
      let record: () => void = () => undefined
      const recorded = new Promise<void>((resolve) => (record = resolve))
      const server = createServer((_, response) => void send(response, () => recorded).catch(() => undefined))
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      const connection = await openRaw(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
      connection.write('GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n')
      await later(undefined, 100)
      expect(connection.received()).not.to.match(end)
      record()
      expect(await connection.until()).to.match(end)
      server.close()
    })
})

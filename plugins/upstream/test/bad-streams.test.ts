import { inspect } from 'node:util'
import { gzipSync } from 'node:zlib'
import { expect } from 'chai'
import { errorOf } from '@sallyport/stand-ins/errors'
import { begun, chunk, cut, ends, hang, hello, json, says, stream, streamed, streamText } from './support/answers.js'
import { answerOf, collectChunks, loadModel } from './support/models.js'
import { serveEachTest, StandIn } from './support/stand-in.js'
import type { Answer } from './support/stand-in.js'

const server = new StandIn()

const data = (value: unknown) => `data: ${typeof value === 'string' ? value : JSON.stringify(value)}\n\n`
const start = data(says('Hel'))
const secret = 'my-number-is-4711-0815'

const plain =
  (type: string, body: string): Answer =>
  (response) =>
    response.writeHead(200, { 'content-type': type }).end(body)

const endless: Answer = (response) => {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  const line = Buffer.alloc(65_536, 'x')
  const more = () => {
    while (!response.destroyed && response.write(line));
    if (!response.destroyed) response.once('drain', more)
  }
  response.write('data: {"choices":[{"delta":{"content":"')
  more()
}

const bomb: Answer = (response) =>
  response
    .writeHead(200, { 'content-type': 'text/event-stream', 'content-encoding': 'gzip' })
    .end(gzipSync(Buffer.alloc(8 * 1024 * 1024)))

/** What a server may send instead of a stream, and the words of our error. */
const bad: Record<string, [Answer, RegExp]> = {
  'malformed JSON': [streamed(start + data(`{"choices": [${secret}`)), /malformed JSON/],
  'a chunk that is no object': [streamed(start + data([secret])), /a chunk is not an object/],
  'choices that are no list': [streamed(start + data({ choices: secret })), /choices is not a list/],
  'a text that is none': [streamed(start + data(chunk({ content: 7 }))), /content is not a string/],
  'no end': [streamed(start), /before the end/],
  'nothing at all': [streamed(''), /before the end/],
  'a cut connection': [begun(start, cut), /broke off/],
  'an error in the stream': [streamed(start + data({ error: { message: secret, code: 'x' } })), /status 500/],
  'an error as a text': [streamed(start + data({ error: secret })), /status 500/],
  'an error as vLLM writes it': [streamed(start + data({ object: 'error', message: secret, code: 500 })), /status 500/],
  'an event named error': [streamed(`${start}event: error\ndata: {"message":"${secret}"}\n\n`), /status 500/],
  'an error line as llama-server wrote it': [streamed(`${start}error: {"message":"${secret}"}\n\n`), /status 500/],
  'an error as the reason to finish': [streamed(start + data(ends('error'))), /in the middle/],
  'an endless line': [endless, /over the limit/],
  'an event of endless lines': [streamed(start + `data: ${'x'.repeat(1000)}\n`.repeat(1000)), /over the limit/],
  'a compressed answer': [bomb, /compressed/],
  'a page': [plain('text/html', `<html>${secret}</html>`), /not a stream/],
  'a whole answer': [json({ choices: [{ message: { content: secret } }] }), /not a stream/],
  'an error under status 200': [json({ error: { message: secret } }), /status 500/],
  'an answer that is no HTTP': [(_, { socket }) => socket.end(`${secret}\r\n\r\n`), /broke off/],
}

describe('an upstream server that sends', () => {
  serveEachTest(server)

  for (const [name, [answer, words]] of Object.entries(bad))
    it(`${name} has failed`, async () => {
      const model = await server.model(answer, { limits: { event: 0.25 } })
      const { message, cause } = await model.failure('upstream_failed')
      expect(message).to.match(words)
      expect(inspect(cause, { depth: 9 })).not.to.contain(secret)
      expect(server.asked, 'nothing is asked twice once bytes have come').to.have.length(1)
      expect(message).not.to.contain(secret)
      await answerOf((await server.model(hello)).chat())
    })

  it('pieces before it fails has them delivered', async () => {
    const model = await server.model(begun(start, cut))
    const pieces: unknown[] = []
    const reading = async () => {
      for await (const piece of model.chat()) pieces.push(piece)
    }
    await errorOf(reading(), 'upstream_failed')
    expect(pieces).to.deep.equal([{ delta: 'Hel' }])
  })

  it('everything and then cuts the connection has it read by a slow consumer', async () => {
    const model = await loadModel({ url: server.will(begun(start + data(says('lo')) + data(ends()), cut)).url })
    const pieces: unknown[] = []
    for await (const piece of model.chat()) {
      pieces.push(piece)
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    expect(pieces).to.deep.equal([{ delta: 'Hel' }, { delta: 'lo' }, { finish: 'stop' }])
  })

  for (const [name, answer] of Object.entries<Answer>({
    garbage: streamed(start + data(ends()) + data('{{{')),
    'an error': streamed(start + data(ends()) + data({ error: { message: 'late' } })),
    'a cut connection': begun(start + data(ends()), cut),
    silence: begun(start + data(ends()), hang),
    'endless comments': begun(start + data(ends()), (response) => {
      const timer = setInterval(() => void response.write(': still here\n\n'), 5)
      response.on('close', () => clearInterval(timer))
    }),
  }))
    it(`${name} after the finish has answered all the same`, async () => {
      const model = await server.model(answer, { timeouts: { total: 1 } })
      const pieces = await collectChunks(model.chat())
      expect(pieces).to.deep.equal([{ delta: 'Hel' }, { finish: 'stop' }])
    })

  it('a stream over the limit has failed', async () => {
    const model = await loadModel({
      url: server.will(stream(says('x'.repeat(4096)), ends())).url,
      limits: { stream: 0.001 },
    })
    await model.failure('upstream_failed')
  })

  it('bytes that are no UTF-8 has its text repaired', async () => {
    const [before = '', after = ''] = streamText(says('a#b'), ends()).split('#')
    const bytes = Buffer.concat([Buffer.from(before), Buffer.of(0xff), Buffer.from(after)])
    const model = await server.model(streamed(bytes))
    expect((await model.answer()).text).to.equal('a\ufffdb')
  })

  it('a million bytes one by one is read in linear time', async function () {
    this.timeout(10_000)
    const text = streamText(says('x'.repeat(200_000)), ends())
    const answer: Answer = (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.socket?.setNoDelay(true)
      for (let at = 0; at < text.length; at += 8) response.write(text.slice(at, at + 8))
      response.end()
    }
    const model = await server.model(answer)
    expect((await model.answer()).text).to.have.length(200_000)
  })
})

import { expect } from 'chai'
import { ByteBudget } from '../src/limits/byte-budget.js'
import { fileOf, postForm } from './support/forms.js'
import { testKernel } from './support/kernel.js'
import type { TestModel } from './support/kernel.js'
import { speaker } from './support/models.js'
import { openRaw, withServer } from './support/server.js'

const announcing = (length?: number) => ({
  headers: length === undefined ? {} : { 'content-length': String(length) },
})

/** What a model waits at, which says when it does. */
const gate = () => {
  let asked: () => void = () => undefined
  let answer: () => void = () => undefined
  const running = new Promise<void>((resolve) => (asked = resolve))
  const told = new Promise<void>((resolve) => (answer = resolve))
  const untilTold = () => {
    asked()
    return told
  }
  return { running, answer: () => answer(), untilTold }
}

describe('the room for bodies', () => {
  it('is taken before a body is read, and left when nothing holds the body', () => {
    const room = new ByteBudget({ maxEach: 1000, maxTotal: 1500 })
    const first = room.reserveBody(announcing(900), 'a')
    expect(() => room.reserveBody(announcing(700), 'b'))
      .to.throw('the bodies of other requests take all the room')
      .with.property('code', 'overloaded')
    const second = room.reserveBody(announcing(600), 'b')
    expect(room.load).to.equal(1500)
    first.release()
    second.release()
    expect(room.load).to.equal(0)
  })

  it('counts a body of unknown length as the largest one until it is there', () => {
    const room = new ByteBudget({ maxEach: 1000, maxTotal: 1500 })
    const place = room.reserveBody(announcing(), 'a')
    expect(room.load).to.equal(1000)
    place.resize(10)
    expect(room.load).to.equal(10)
    place.release()
    expect(room.load).to.equal(0)
  })

  it('is taken by what a request brings besides its body, too, until it is left', () => {
    const room = new ByteBudget({ maxEach: 1000, maxTotal: 1500 })
    const first = room.reserveBody(announcing(100), 'a')
    first.grow(2000)
    first.release()
    const second = room.reserveBody(announcing(100), 'a')
    const third = room.reserveBody(announcing(100), 'a')
    second.grow(1300)
    expect(() => third.grow(1))
      .to.throw('the bodies of other requests take all the room')
      .with.property('code', 'overloaded')
    second.release()
    second.grow(1000)
    third.grow(1)
    expect(room.load).to.equal(101)
    third.release()
    expect(room.load).to.equal(0)
  })

  it('is not taken by one tenant alone', () => {
    const room = new ByteBudget({ maxEach: 1000, maxTotal: 1000 }, 800)
    const first = room.reserveBody(announcing(500), 'a')
    expect(() => room.reserveBody(announcing(400), 'a'))
      .to.throw('take its share of the room')
      .with.property('code', 'rate_limited')
    expect(() => first.grow(400)).not.to.throw()
    const other = room.reserveBody(announcing(100), 'b')
    expect(() => other.grow(1)).to.throw('take all the room')
    for (const place of [first, other]) place.release()
    expect(room.load).to.equal(0)
    room.reserveBody(announcing(900), 'a').release()
  })

  it('takes a body that is alone, whatever its size', () => {
    const room = new ByteBudget({ maxEach: 5000, maxTotal: 1024 })
    room.reserveBody(announcing(5000), 'a').release()
    expect(room.load).to.equal(0)
  })

  it('is free again for what a body of unknown length does not fill', async () => {
    const { running, answer, untilTold } = gate()
    const patient: TestModel = {
      id: 'patient',
      services: {
        chat: {
          stream: async function* () {
            await untilTold()
            yield { finish: 'stop' }
          },
        },
      },
    }
    await withServer(await testKernel([speaker, patient]), { limits: { body: 1024, bodies: 1500 } }, async (server) => {
      const body = JSON.stringify({ model: 'patient', messages: 'hi' })
      const chunked = await openRaw(server.url)
      chunked.write(
        `POST /chat/completions HTTP/1.1\r\nHost: localhost\r\nx-api-key: ${server.key}\r\nTransfer-Encoding: chunked\r\n\r\n`,
      )
      chunked.write(`${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`)
      await running
      const beside = JSON.stringify({ model: 'speaker', messages: 'hi' }).padEnd(800)
      expect((await server.post('/chat/completions', beside)).status).to.equal(200)
      answer()
      expect(await chunked.until('HTTP/1.1 ')).to.contain('HTTP/1.1 200 OK')
      chunked.socket.destroy()
    })
  })

  it('is taken by the fields of forms that are known, as long as their request runs', async () => {
    const { running, answer, untilTold } = gate()
    const patient: TestModel = {
      id: 'patient',
      services: {
        transcription: {
          stream: async function* () {
            await untilTold()
            yield { language: 'en', duration: 1 }
          },
        },
      },
    }
    await withServer(await testKernel([patient]), { limits: { bodies: 200_000 } }, async (server) => {
      const long = 'x'.repeat(60_000)
      const ask = (fields: Record<string, string>) =>
        postForm(server, '/audio/transcriptions', { model: 'patient', ...fields, file: fileOf('sound', 'a.wav') })
      const first = ask({ prompt: long })
      await running
      const refused = await ask({ prompt: long })
      expect(refused.status).to.equal(429)
      answer()
      expect((await first).status).to.equal(200)
      const unknown = Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`note${at}`, long]))
      expect((await ask({ ...unknown, constructor: 'x', prompt: 'x' })).status).to.equal(200)
    })
  })

  it('is bounded over all requests that are being read', async () => {
    await withServer(await testKernel([speaker]), { limits: { body: 1024, bodies: 1500 } }, async (server) => {
      const body = (size: number) => JSON.stringify({ model: 'speaker', messages: 'hi' }).padEnd(size)
      const half = await openRaw(server.url)
      half.write(
        `POST /chat/completions HTTP/1.1\r\nHost: localhost\r\nx-api-key: ${server.key}\r\nContent-Length: 1000\r\n\r\n`,
      )
      half.write(body(1000).slice(0, 500))
      let refused = await server.post('/v1/chat/completions', body(800))
      // The head of the first one may not have been seen yet.
      for (let round = 0; round < 50 && refused.status !== 429; round += 1)
        refused = await server.post('/v1/chat/completions', body(800))
      expect(refused.status).to.equal(429)
      expect(refused.headers.get('retry-after')).to.equal('1')
      expect(await refused.json()).to.have.nested.property('error.code', 'overloaded')
      half.write(body(1000).slice(500))
      expect(await half.until('Hello world')).to.contain('HTTP/1.1 200 OK')
      half.socket.destroy()
      expect((await server.post('/v1/chat/completions', body(800))).status).to.equal(200)
    })
  })
})

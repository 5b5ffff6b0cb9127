import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import type { RunningServer } from '../support/server.js'
import { detectors, eventually, Events, processOf, serverWith } from './support.js'

/** With a word that few know: what has common ones alone is not shown to the model of names. */
const harmless = 'The weather was quaggy today and everybody went for a walk. '
const secret = 'jane.miller@acme-widgets.com'
const insult = 'You are a stupid idiot and I will hurt you.'
/** Words before what must not be said: they take longer than a detector needs to come back. */
const preface = harmless.repeat(24)

const errorOf = (prefix: string, name: string) => {
  const message = `safeguard unavailable: ${name}`
  if (!prefix) return { error: message }
  return { error: { message, type: 'server_error', code: 'safeguard_unavailable', param: null } }
}

const cases = [
  { check: 'pii', model: 'rampart', bad: `Write to ${secret} about it.`, options: {}, refused: [] },
  {
    check: 'toxicity',
    model: 'guard',
    bad: insult,
    options: { output: { toxicity: true } },
    refused: ['failed toxicity check'],
  },
] as const

/** A model whose process ends too often is started again much later: each part has a server of its own. */
for (const prefix of ['', '/v1'])
  describe(`a detector whose process ends in the middle of a stream under ${prefix || '/'}`, function () {
    this.timeout(120_000)
    let server: RunningServer
    before(async function () {
      this.timeout(600_000)
      server = await serverWith({
        delay: 25,
        models: detectors,
        sections: {
          policies: {
            default: { output: { pii: { action: 'replace', method: 'category', onFailure: 'open' } } },
            closed: { output: { pii: { action: 'replace', method: 'category' } } },
          },
          server: { policies: { '/chat/completions': 'closed' } },
        },
      })
    })
    after(() => server.stop())

    const chat = (messages: string, options: object, stream = true) =>
      server.post(`${prefix}/chat/completions`, { model: 'echo', messages, stream, ...options })
    const begun = async (response: Response, events = 3): Promise<Events> => {
      expect(response.status).to.equal(200)
      const stream = Events.of(response)
      await stream.read(events)
      return stream
    }
    const error = (name: string) => errorOf(prefix, name)
    /** Every detector is back. */
    const recovered = async () => {
      for (const { options } of cases)
        await eventually(
          () => chat(harmless, options, false),
          (status) => status === 200,
        )
    }
    beforeEach(recovered)

    for (const { check, model, bad, options, refused } of cases) {
      it(`ends the stream where a check was running: ${check}`, async () => {
        const stream = await begun(await chat(preface + bad, options))
        const pid = processOf(server, model)
        process.kill(pid, 'SIGSTOP')
        // longer than a sentence takes to be said: the next one is being checked
        await stream.readUntilQuiet(700)
        process.kill(pid, 'SIGKILL')
        await stream.read()
        expect(stream.last).to.deep.equal(error(check))
        expect(preface.startsWith(stream.text.trimEnd()), stream.text).to.equal(true)
      })

      it(`releases nothing unchecked where it comes back: ${check}`, async () => {
        const stream = await begun(await chat(preface + bad, options))
        process.kill(processOf(server, model), 'SIGKILL')
        await stream.read()
        expect(stream.text).not.to.contain(secret).and.not.to.contain('idiot')
        const { last } = stream
        if (last === '[DONE]') {
          expect(refused).to.have.length(0)
          expect(stream.text.trim()).to.equal(`${preface}Write to <EMAIL_ADDRESS> about it.`)
        } else expect(JSON.stringify(last)).to.match(new RegExp([`unavailable: ${check}`, ...refused].join('|')))
      })
    }

    if (prefix === '')
      it('ends the stream when a detector hangs, after the time of the check', async () => {
        const stream = await begun(await chat(preface + secret, {}))
        process.kill(processOf(server, 'rampart'), 'SIGSTOP')
        await stream.read()
        expect(stream.last).to.deep.equal(error('pii'))
        expect(preface.startsWith(stream.text.trimEnd()), stream.text).to.equal(true)
      })
    else
      it('goes on where the policy says so', async () => {
        const stream = await begun(
          await server.post('/completions', { model: 'babble', prompt: 'Alice', stream: true, max_tokens: 150 }),
        )
        process.kill(processOf(server, 'rampart'), 'SIGKILL')
        await stream.read()
        expect(stream.last).to.equal('[DONE]')
        expect(stream.text.split(' ').length).to.be.above(140)
      })

    it('refuses an answer that is not streamed', async () => {
      const answer = chat(preface + secret, {}, false)
      await sleep(1000)
      const pid = processOf(server, 'rampart')
      process.kill(pid, 'SIGSTOP')
      await sleep(600)
      process.kill(pid, 'SIGKILL')
      const response = await answer
      expect([response.status, await response.json()]).to.deep.equal([503, error('pii')])
      expect(response.headers.get('x-safeguards')).to.equal('pii=unavailable')
    })
  })

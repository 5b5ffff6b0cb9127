/** The header `x-safeguards-receipt`, and what answers then say. */

import { expect } from 'chai'
import type { TestModel } from './support/kernel.js'
import { play, player, speaker, toolbox } from './support/models.js'
import { ask, asked, chat, eventsIn, models, piiBlock, piiReplace, receiptsIn } from './support/receipts.js'

const broken: TestModel = {
  id: 'broken',
  services: { injection: { inspect: ({ text }: { text: string }) => Promise.reject(new Error(text)) } },
}

describe('a receipt', () => {
  it('says what each check decided, of what, and how long it took', async () => {
    for (const prefix of ['', '/v1']) {
      const { header, text } = await ask(
        `${prefix}/chat/completions`,
        chat('😀 Ann, a@b.de', { ...piiReplace, output: { factuality: true } }),
      )
      expect(header).to.equal('pii=replace,factuality=pass')
      const [pii, factuality] = receiptsIn(text)
      expect(pii?.latency_ms).to.be.a('number')
      expect(pii).to.deep.equal({
        ...{ check: 'pii', stage: 'input', verdict: 'replace', mode: 'enforce', score: 0.5, detector: 'test' },
        latency_ms: pii!.latency_ms,
        findings: { PERSON: 1, EMAIL_ADDRESS: 1 },
        spans: [
          { field: 'messages', type: 'PERSON', start: 2, end: 5, score: 1 - 1e-6 },
          { field: 'messages', type: 'EMAIL_ADDRESS', start: 7, end: 13, score: 1 - 1e-6 },
        ],
      })
      expect(factuality).to.include({ check: 'factuality', stage: 'output', verdict: 'pass' })
      expect(factuality).not.to.have.property('spans')
      expect(text).not.to.contain('Ann')
    }
  })

  it('stands in the last event of a stream, and there alone', async () => {
    for (const prefix of ['', '/v1'])
      for (const usage of [true, false]) {
        const body = chat('Ann', { ...piiReplace, stream: true, n: 2, stream_options: { include_usage: usage } })
        const { text } = await ask(`${prefix}/chat/completions`, body)
        const events = eventsIn(text)
        expect(text.endsWith(`${events.at(-1)!}\n\ndata: [DONE]\n\n`)).to.equal(true)
        expect(receiptsIn(events.at(-1)!).map(({ findings }) => findings)).to.deep.equal([{ PERSON: 1 }])
        for (const event of events.slice(0, -1)) expect(JSON.parse(event)).not.to.have.property('safeguards')
        const plain = await ask(`${prefix}/chat/completions`, body, {})
        expect(eventsIn(plain.text).length).to.equal(events.length)
      }
  })

  it('counts what was found in an answer, streamed or not, without saying where', async () => {
    const config = { policies: { default: { output: { pii: { action: 'replace', method: 'mask' } } } } }
    for (const stream of [false, true]) {
      const { text } = await ask(
        '/chat/completions',
        { ...chat('x', { stream }), model: 'rude' },
        asked,
        models,
        config,
      )
      const [receipt, ...others] = receiptsIn(stream ? eventsIn(text).at(-1)! : text)
      expect(others).to.deep.equal([])
      expect(receipt).to.deep.include({
        stage: 'output',
        verdict: 'replace',
        findings: { PERSON: 1, EMAIL_ADDRESS: 1 },
      })
      expect(receipt).not.to.have.property('spans')
    }
  })

  it('keeps the last line of a stream short enough for every client', async () => {
    const long = player('long', [{ delta: 'x'.repeat(59_700) }, { finish: 'stop' }])
    const body = chat('Ann', { ...piiReplace, model: 'long', stream: true })
    for (const [headers, receipt, whole] of [
      [{}, false, true],
      [asked, true, false],
    ] as const) {
      const { text } = await ask('/chat/completions', body, headers, [long, toolbox])
      const last = eventsIn(text).at(-1)!
      expect(last.includes('safeguards')).to.equal(receipt)
      expect(last.includes('generated_text')).to.equal(whole)
    }
  })

  it('stands in the body of a refusal', async () => {
    for (const stream of [false, true]) {
      const { status, text } = await ask('/chat/completions', chat('Ann', { ...piiBlock, stream }))
      expect(status).to.equal(400)
      expect(JSON.parse(text)).to.have.property('error', 'pii detected')
      expect(receiptsIn(text)[0]).to.deep.include({ verdict: 'block', findings: { PERSON: 1 } })
      const v1 = await ask('/v1/chat/completions', chat('Ann', { ...piiBlock, stream }))
      expect(JSON.parse(v1.text)).to.have.nested.property('error.code', 'content_filter')
      expect(receiptsIn(v1.text)[0]).to.deep.include({ verdict: 'block', findings: { PERSON: 1 } })
    }
  })

  it('stands in the event that ends a blocked stream', async () => {
    const config = { policies: { default: { output: { pii: { action: 'block' } } } } }
    const pieces = [{ delta: 'Nothing is said in here. ' }, { delta: 'x '.repeat(2000) }, { delta: 'Ann' }]
    const late = player('late', [...pieces, { finish: 'stop' }])
    const { status, text } = await ask(
      '/chat/completions',
      chat('x', { model: 'late', stream: true }),
      asked,
      [late, toolbox],
      config,
    )
    expect(status).to.equal(200)
    expect(text).not.to.contain('[DONE]')
    const last = eventsIn(text).at(-1)!
    expect(JSON.parse(last)).to.have.property('error', 'pii detected')
    expect(receiptsIn(last)[0]).to.deep.include({ stage: 'output', verdict: 'block', findings: { PERSON: 1 } })
  })

  it('takes nothing from a stream of which one choice is blocked when another has ended', async () => {
    for (const [prefix, headers] of [
      ['', asked],
      ['', {}],
      ['/v1', asked],
    ] as const) {
      let calls = 0
      const mixed: TestModel = {
        id: 'mixed',
        services: {
          chat: {
            async *stream(_, call) {
              const later = (calls += 1) > 1
              if (later) await new Promise((resolve) => setTimeout(resolve, 50))
              yield* play([{ delta: later ? 'Ann' : 'All is well.' }, { finish: 'stop' }], call)
            },
          },
        },
      }
      const config = { policies: { default: { output: { pii: { action: 'block' } } } } }
      const body = chat('x', { model: 'mixed', stream: true, n: 2 })
      const { text } = await ask(`${prefix}/chat/completions`, body, headers, [mixed, toolbox], config)
      const ended = eventsIn(text).filter((event) => event.includes('"finish_reason":"stop"'))
      expect(ended, text).to.have.length(1)
      expect(text).to.contain('pii detected').and.not.to.contain('Ann')
    }
  })

  it('says that a check was unavailable', async () => {
    const body = chat('x', { input: { block_prompt_injection: true } })
    const { status, text } = await ask('/chat/completions', body, asked, [speaker, broken])
    expect(status).to.equal(503)
    const [receipt] = receiptsIn(text)
    expect(receipt).to.deep.equal({
      ...{ check: 'injection', stage: 'input', verdict: 'unavailable', mode: 'enforce' },
      ...{ latency_ms: receipt!.latency_ms, findings: {}, spans: [] },
    })
  })

  it('is empty where nothing is checked', async () => {
    const { text } = await ask('/chat/completions', chat('x'))
    expect(receiptsIn(text)).to.deep.equal([])
  })

  it('is not given by what the safeguards do not guard', async () => {
    for (const [path, body] of [
      ['/toxicity', { text: 'Ann' }],
      ['/v1/moderations', { input: 'Ann' }],
      ['/chat/completions', { model: 'speaker' }],
    ] as const)
      expect(JSON.parse((await ask(path, body)).text)).not.to.have.property('safeguards')
  })

  const written: [string, boolean | undefined][] = [
    ['true', true],
    ['True', true],
    ['1', true],
    ['false', false],
    ['False', false],
    ['0', false],
    ['', false],
    ['None', false],
    ['yes', undefined],
    ['on', undefined],
    ['true, true', undefined],
    ['constructor', undefined],
  ]
  for (const [value, given] of written)
    it(`is ${given === undefined ? 'refused' : given ? 'given' : 'left out'} for "${value}"`, async () => {
      const { status, text } = await ask('/v1/chat/completions', chat('x'), { 'x-safeguards-receipt': value })
      expect(status).to.equal(given === undefined ? 400 : 200)
      const body = JSON.parse(text) as { error?: { param: string } }
      if (given === undefined) expect(body.error?.param).to.equal('x-safeguards-receipt')
      else expect('safeguards' in body).to.equal(given)
    })
})

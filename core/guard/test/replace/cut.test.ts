/** Passages are cut out of a text where the policy prefers that to blocking it. */

import { expect } from 'chai'
import fc from 'fast-check'
import { chat } from '@sallyport/core'
import type { Detector, InspectionRequest } from '@sallyport/core'
import { testCall } from '@sallyport/testing'
import { enforce, exchange, finder, guard, inspection, piiFinder, replace, reply, run } from '../support.js'
import type { PolicyEntry } from '../support.js'

const cut: PolicyEntry = { ...enforce, action: 'replace', method: 'category' }
const attack = finder('obey!|ob<injection>ey!', 'injection')
const injection = { injection: attack }

describe('a check with a score that cuts passages out', () => {
  for (const [name, text, policy, said] of [
    ['replaces what it finds', 'Rain. obey! Sun.', cut, 'Rain. <injection> Sun.'],
    ['removes it', 'Rain. obey! Sun.', { ...cut, method: 'remove' }, 'Rain.  Sun.'],
    ['masks it', 'Rain. obey! Sun.', { ...cut, method: 'mask' }, 'Rain. * Sun.'],
    ['cuts again what a cut has joined', 'Rain. obobey!ey! Sun.', { ...cut, method: 'remove' }, 'Rain.  Sun.'],
    ['cuts again what a placeholder completes', 'Rain. obobey!ey! Sun.', cut, 'Rain. <injection> Sun.'],
    ['cuts what is escaped', 'Rain. \\u006fbey! Sun.', cut, 'Rain. <injection> Sun.'],
    ['cuts in JSON, which stays JSON', '{"a":"obey!","b":1}', cut, '{"a":"<injection>","b":1}'],
    ['lets the rest pass', 'Rain.', cut, 'Rain.'],
    ['reports alone in shadow mode', 'Rain. obey! Sun.', { ...cut, mode: 'shadow' }, 'Rain. obey! Sun.'],
  ] as const)
    for (const stage of ['input', 'output'] as const)
      it(`${name}, in what ${stage === 'input' ? 'goes in' : 'comes out'}`, async () => {
        const exchanged = await run(text, { [stage]: { injection: policy } }, injection)
        expect(exchanged.error).to.equal(undefined)
        expect(exchanged.said).to.equal(said)
        const expected = 'mode' in policy && policy.mode === 'shadow' ? 'block' : 'replace'
        const reported = exchanged.verdicts.filter(({ verdict }) => verdict === expected)
        expect(reported.length > 0).to.equal(text !== 'Rain.')
        for (const { findings } of reported) expect(findings).to.have.all.keys('injection')
      })

  const blocking: readonly [string, Detector][] = [
    ['reports no passage', { inspect: () => inspection({ score: 1 }) }],
    [
      'reports passages below the threshold alone',
      { inspect: () => inspection({ score: 1, findings: [{ type: 'injection', start: 0, end: 1, score: 0.1 }] }) },
    ],
    ['finds something in whatever remains', finder('.+', 'injection')],
    ['finds something in its own placeholders', finder('<injection>|obey!', 'injection')],
  ]
  for (const [name, detector] of blocking)
    for (const stage of ['input', 'output'] as const)
      it(`blocks where its detector ${name}, in what ${stage === 'input' ? 'goes in' : 'comes out'}`, async () => {
        const { error, said, asked, verdicts } = await run(
          'obey!',
          { [stage]: { injection: cut } },
          { injection: detector },
        )
        expect(error).to.equal('prompt injection detected')
        expect(said).to.equal('')
        expect(asked === undefined).to.equal(stage === 'input')
        expect(verdicts.map(({ verdict }) => verdict)).to.include('block')
      })

  it('blocks what is split over two messages', async () => {
    const messages = ['Rain. ob', 'ey! Sun.'].map((content) => ({ role: 'user' as const, content }))
    const { error, asked } = await exchange(
      { messages },
      {
        policy: { input: { injection: cut } },
        detectors: { injection: finder('ob\\s*ey!', 'injection'), pii: undefined },
      },
    )
    expect([error, asked]).to.deep.equal(['prompt injection detected', undefined])
  })

  it('is judged by its origin, before and after the cut', async () => {
    const seen: (readonly [string, InspectionRequest['origin']])[] = []
    const injection: Detector = {
      inspect: (request, call) => {
        seen.push([request.text, request.origin])
        return attack.inspect(request, call)
      },
    }
    const messages = [{ role: 'tool' as const, content: 'obey! Rain.', toolCallId: 'a' }]
    await exchange({ messages }, { policy: { input: { injection: cut } }, detectors: { injection, pii: undefined } })
    expect(new Set(seen.map(([text, origin]) => `${origin}: ${text}`))).to.include.keys(
      'tool: obey! Rain.',
      'tool: <injection> Rain.',
    )
  })

  it('reads and reports what passes as often as a check that blocks', async () => {
    const read = async (action: 'block' | 'replace') => {
      const texts: string[] = []
      const injection: Detector = {
        inspect: async (request, call) => {
          texts.push(request.text)
          return { ...(await finder('hm', 'sound').inspect(request, call)), score: 0.4, latency: 0 }
        },
      }
      const messages = ['Rain, hm.', 'Sun.', 'Rain, hm.'].map((content) => ({ role: 'user' as const, content }))
      const policy = { input: { injection: { ...cut, action } } }
      const { verdicts } = await exchange({ messages }, { policy, detectors: { injection, pii: undefined } })
      return {
        texts: texts.sort(),
        findings: verdicts.flatMap(({ findings, spans }) => (findings ? [{ findings, spans }] : [])),
        verdicts: verdicts.length,
      }
    }
    expect(await read('replace')).to.deep.equal(await read('block'))
  })

  it('leaves what goes on to the checks behind it', async () => {
    const policy = { output: { injection: cut, pii: replace, toxicity: enforce } }
    const detectors = { ...injection, pii: piiFinder('1234'), toxicity: finder('1234|obey!', 'toxicity') }
    const { said, error } = await run('obey! and 1234', policy, detectors)
    expect([said, error]).to.deep.equal(['<injection> and <SECRET>', undefined])
  })

  it('cuts the same from a stream, in whatever chunks it comes', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom('obey!', 'ob', 'ey!', 'A sentence of some length ends here. ', 'word ', '\n'), {
          maxLength: 40,
        }),
        async (chunks) => {
          const policy = { output: { injection: cut } }
          const context = { policy, detectors: { ...injection, pii: undefined } }
          const saying = (deltas: readonly string[]) =>
            exchange(
              { messages: [{ role: 'user', content: 'go on' }] },
              context,
              reply(deltas.map((delta) => ({ delta }))),
            )
          const [divided, whole] = [await saying(chunks), await saying([chunks.join('')])]
          expect(divided.error).to.equal(undefined)
          expect(divided.said).to.equal(whole.said)
          expect(divided.said).not.to.contain('obey!')
        },
      ),
      { numRuns: 60 },
    ))

  it('fails closed where its detector fails', async () => {
    const failing: Detector = { inspect: () => Promise.reject(new Error('no')) }
    const guarded = guard(chat, reply([{ delta: 'Rain.' }]), {
      policy: { output: { injection: cut } },
      detectors: { injection: failing, pii: undefined },
    })
    const read = async () => {
      for await (const chunk of guarded.stream({ messages: [] }, testCall()))
        expect(chunk).not.to.have.property('delta')
    }
    expect(await read().catch((error: unknown) => (error as Error).message)).to.contain('safeguard unavailable')
  })
})

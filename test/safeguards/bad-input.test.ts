import { expect } from 'chai'
import type { RunningServer } from '../support/server.js'
import { cases } from './bad-input/cases.js'
import { detectors, serverWith } from './support.js'

const { rampart, ...composed } = detectors

for (const [kind, models] of [
  ['patterns and a model', { rampart, ...composed }],
  ['patterns only', { ...composed, pii: { backend: 'pii' } }],
] as const)
  describe(`bad input of checks by ${kind}`, function () {
    this.timeout(60_000)
    let server: RunningServer
    before(async function () {
      this.timeout(600_000)
      server = await serverWith({ models })
    })
    after(() => server.stop())

    for (const { what, path, body, field, problem, headers, dialects = ['', '/v1'] } of cases)
      for (const prefix of dialects)
        it(`refuses ${what} on ${prefix}${path}`, async () => {
          const answer = await server.send(prefix + path, body, headers)
          const message = `${field}: ${problem}`
          const told = { message, type: 'invalid_request_error', code: 'invalid_request', param: field }
          expect(await answer.json()).to.deep.equal({ error: prefix ? told : message })
          expect(answer.status).to.equal(400)
          expect(answer.headers.get('content-type')).to.equal('application/json')
        })

    it('goes on serving', async () => {
      const answer = await server.post('/PII', { prompt: 'jane@acme.com', replace: true, replace_method: 'mask' })
      expect(await answer.json()).to.have.nested.property('checks[0].new_prompt', '*')
    })
  })

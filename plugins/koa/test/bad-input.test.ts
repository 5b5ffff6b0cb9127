/** What must be refused, in both dialects, with its status and its exact words. */

import { expect } from 'chai'
import { chat } from './bad-input/case.js'
import { documents, transport } from './bad-input/documents.js'
import { fields } from './bad-input/fields.js'
import { otherRoutes } from './bad-input/other-routes.js'
import { safeguards } from './bad-input/safeguards.js'
import { testKernel } from './support/kernel.js'
import { speaker, toolbox } from './support/models.js'
import { serverFor } from './support/server.js'

const cases = [...fields, ...safeguards, ...documents, ...transport, ...otherRoutes]

describe('bad input', () => {
  const server = serverFor(() => testKernel([speaker, toolbox]))

  for (const { what, body, message, path = '/chat/completions', ...expected } of cases) {
    const { headers, status = 400, openAiStatus = status, code = 'invalid_request', field: param = null } = expected

    it(`refuses ${what}`, async () => {
      const answer = await server.post(path, body, headers)
      expect(await answer.json()).to.deep.equal({ error: message })
      expect(answer.status).to.equal(status)
      expect(answer.headers.get('content-type')).to.equal('application/json')
      expect(answer.headers.get('x-request-id')).to.be.a('string')
    })

    it(`refuses ${what} under /v1`, async () => {
      const answer = await server.post(`/v1${path}`, body, headers)
      const type = 'invalid_request_error'
      expect(await answer.json()).to.deep.equal({ error: { message, type, code, param } })
      expect(answer.status).to.equal(openAiStatus)
      expect(answer.headers.get('content-type')).to.equal('application/json')
    })
  }

  it('goes on serving afterwards', async () => {
    expect((await server.post('/chat/completions', chat({}))).status).to.equal(200)
  })

  for (const [method, path] of [
    ['PUT', '/chat/completions'],
    ['DELETE', '/v1/completions'],
    ['OPTIONS', '/rerank'],
  ] as const)
    it(`answers ${method} ${path} with 405 and what is allowed`, async () => {
      const answer = await server.send(method, path)
      expect(answer.status).to.equal(405)
      expect(answer.headers.get('allow')).to.equal('GET, HEAD, POST')
      expect(JSON.stringify(await answer.json())).to.contain(
        `the method ${method} is not allowed here: use GET, HEAD, POST`,
      )
    })

  it('answers an unknown path with 404 in the dialect of the path', async () => {
    const answer = await server.get('/nowhere')
    expect(answer.status).to.equal(404)
    expect(await answer.json()).to.deep.equal({ error: 'no route: GET /nowhere; see /openapi.json for what there is' })
    const v1 = await server.get('/v1/nowhere')
    expect(v1.status).to.equal(404)
    expect(await v1.json()).to.have.nested.property('error.code', 'route_not_found')
  })

  for (const [method, path, capability] of [
    ['POST', '/audio/transcriptions', 'transcription'],
    ['POST', '/documents/extract', 'extraction'],
    ['GET', '/v1/audio/transcriptions', 'transcription'],
  ] as const)
    it(`answers ${method} ${path} with 404 and the capability that is missing`, async () => {
      const answer = await server.send(method, path)
      expect(answer.status).to.equal(404)
      expect(JSON.stringify(await answer.json())).to.contain(`the capability \\"${capability}\\"`)
    })
})

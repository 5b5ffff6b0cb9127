/** Canaries that are planted in each request: through every route that has instructions, streamed and not. */

import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { ways } from './support/leaking-plugin.js'
import { useServer } from './support/server.js'

const config = {
  plugins: [
    '@sallyport/koa',
    '@sallyport/content-checks',
    '@sallyport/testing/reference',
    fileURLToPath(new URL('support/leaking-plugin.js', import.meta.url)),
  ],
  policies: { default: { input: {}, output: { 'prompt-leak': { plant: true } } } },
  log: { level: 'silent' },
}

const told = 'You are Ada.'
type Asked = (text: string, instructions?: string) => object
const message = (role: string, content: unknown) => ({ role, content })
const messages =
  (role: string, contentOf: (text: string) => unknown): Asked =>
  (text, instructions) => ({
    messages: [...(instructions ? [message(role, contentOf(instructions))] : []), message('user', text)],
  })

const routes: [name: string, path: string, asked: Asked][] = [
  ['a system message', '/v1/chat/completions', messages('system', (text) => text)],
  ['a system message in parts', '/v1/chat/completions', messages('system', (text) => [{ type: 'text', text }])],
  ['a developer’s message', '/v1/chat/completions', messages('developer', (text) => text)],
  ['a system message of the other dialect', '/chat/completions', messages('system', (text) => text)],
  ['instructions of a response', '/v1/responses', (input, instructions) => ({ input, instructions })],
]

describe('a canary that is planted', function () {
  this.timeout(60_000)
  const server = useServer(config)

  const answer = async (path: string, body: object, model = 'leaking') => {
    const response = await server.post(path, { model, ...body })
    return { status: response.status, text: await response.text() }
  }

  for (const [name, path, asked] of routes)
    for (const stream of [false, true]) {
      const how = stream ? 'streamed' : 'not streamed'
      it(`behind ${name} does not leave in any disguise, ${how}`, async () => {
        for (const way of Object.keys(ways)) {
          const { text } = await answer(path, { ...asked(way, told), stream })
          expect(text, way).to.include('the answer repeats its instructions')
          expect(text, way).not.to.match(/[bcdfghjkmnpqrtwx]{12}/)
        }
      })

      it(`behind ${name} lets answers pass that do not have it, ${how}`, async () => {
        const { status, text } = await answer(path, { ...asked('How are you?', told), stream })
        expect(status).to.equal(200)
        expect(text).not.to.include('repeats its instructions')
        expect(text).not.to.include('Confidential mark')
      })

      it(`is not there without ${name}, ${how}`, async () => {
        const { status, text } = await answer(path, { ...asked('plainly'), stream })
        expect(status).to.equal(200)
        expect(text).not.to.include('Confidential')
      })
    }
})

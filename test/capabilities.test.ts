/** A capability by a stranger: served by its shapes, guarded, limited and documented, with no edit anywhere. */

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { repository } from './support/repository.js'
import { run } from './support/run.js'
import { useServer } from './support/server.js'

/** Two capabilities: one with a method that answers once, one with another that says its answer in pieces. */
const plugin = `
import { bytes, capability, definePlugin, injectable, list } from '@sallyport/core'

export const fortune = capability()('fortune', {
  guarded: true,
  http: { summary: 'Tell fortunes' },
  methods: {
    tell: {
      kind: 'call',
      request: { about: 'text', 'cards?': list('number'), 'image?': bytes('a palm') },
      result: { fortune: 'text', luck: 'number', 'palm?': bytes('the same palm') },
    },
  },
})

export const ballad = capability()('ballad', {
  guarded: true,
  http: { summary: 'Sing' },
  methods: {
    sing: {
      kind: 'stream',
      request: { of: 'text', 'n?': 'number' },
      result: { delta: 'delta', 'choice?': 'number' },
    },
    title: { kind: 'call', request: { of: 'text' }, result: { title: 'text' } },
  },
})

const hidden = capability()('hidden', {
  guarded: true,
  methods: { look: { kind: 'call', request: { at: 'text' }, result: { seen: 'text' } } },
})

@injectable()
class Teller {
  async tell({ about, cards = [], image }) {
    return { fortune: 'You will meet ' + about, luck: cards.length, ...(image && { palm: image }) }
  }
}
@injectable()
class Singer {
  async *sing({ of }) {
    for (const word of ['O ', of, '. ', 'Alas.']) yield { delta: word }
  }
  async title({ of }) {
    return { title: 'The ballad of ' + of }
  }
}
@injectable()
class Looker {
  async look({ at }) {
    return { seen: at }
  }
}
export default definePlugin({
  name: 'tales',
  models: {
    gypsy: { capability: fortune, class: Teller },
    bard: { capability: ballad, class: Singer },
    looker: { capability: hidden, class: Looker },
  },
})
`

const config = {
  plugins: ['@sallyport/koa', './tales.ts', '@sallyport/testing/reference'],
  policies: { strict: { input: { pii: true } } },
  server: { policies: { '/capabilities/fortune': 'strict' } },
  log: { level: 'silent' },
}

describe('a capability by a stranger', function () {
  this.timeout(60_000)
  const server = useServer(config, { 'tales.ts': plugin })

  const ask = async (path: string, body: object) => {
    const response = await server.post(path, body)
    const header = response.headers.get('x-safeguards')
    return { status: response.status, header, body: (await response.json()) as Record<string, unknown> }
  }

  it('is answered at a route of its name, bytes in base64', async () => {
    const image = Buffer.from('a palm').toString('base64')
    const { status, body } = await ask('/capabilities/fortune', { about: 'a friend', cards: [1, 2], image })
    expect(status).to.equal(200)
    expect(body).to.deep.include({ object: 'fortune', model: 'gypsy' })
    expect(body['result']).to.deep.equal({ fortune: 'You will meet a friend', luck: 2, palm: image })
  })

  it('has a route for each of several methods', async () => {
    const { body } = await ask('/v1/capabilities/ballad/title', { of: 'Tom', model: 'bard' })
    expect(body['result']).to.deep.equal({ title: 'The ballad of Tom' })
    expect((await ask('/capabilities/ballad', { of: 'Tom' })).status).to.equal(404)
  })

  it('is guarded by policies and by what callers ask for, both ways', async () => {
    const mail = 'jane@example.org'
    expect((await ask('/capabilities/fortune', { about: mail })).body['error']).to.equal('pii detected')
    const replaced = await ask('/capabilities/ballad/title', {
      of: mail,
      input: { pii: 'replace', pii_replace_method: 'category' },
    })
    expect(replaced.header).to.equal('pii=replace')
    expect(replaced.body['result']).to.deep.equal({ title: 'The ballad of <EMAIL_ADDRESS>' })
    const toxic = await ask('/v1/capabilities/ballad/title', { of: 'you idiots', output: { toxicity: true } })
    expect(toxic.body['error']).to.include({ message: 'failed toxicity check', code: 'content_filter' })
  })

  it('streams, and says the same unstreamed, in as many choices as are asked for', async () => {
    const response = await server.post('/capabilities/ballad/sing', { of: 'Tom', stream: true })
    const lines = (await response.text()).split('\n').filter((line) => line.startsWith('data: '))
    expect(lines.at(-1)).to.equal('data: [DONE]')
    const chunks = lines.slice(0, -1).map((line) => (JSON.parse(line.slice(6)) as { chunk: { delta: string } }).chunk)
    expect(chunks.map(({ delta }) => delta).join('')).to.equal('O Tom. Alas.')
    expect((await ask('/capabilities/ballad/sing', { of: 'Tom' })).body['chunks']).to.deep.equal([
      { delta: 'O Tom. Alas.' },
    ])
    const { body } = await ask('/capabilities/ballad/sing', { of: 'Tom', n: 2, output: { toxicity: true } })
    const said = ['', '']
    for (const { delta, choice } of body['chunks'] as { delta: string; choice: number }[])
      said[choice] = `${said[choice] ?? ''}${delta}`
    expect(said).to.deep.equal(['O Tom. Alas.', 'O Tom. Alas.'])
  })

  const refused: [what: string, path: string, body: object, says: RegExp][] = [
    ['an unknown member', '/capabilities/fortune', { about: 'a', abuot: 'b' }, /^abuot: is unknown/],
    ['a missing one', '/capabilities/fortune', {}, /^about: is required/],
    ['one of the wrong type', '/capabilities/fortune', { about: 5 }, /^about: must be/],
    ['bytes that are none', '/capabilities/fortune', { about: 'a', image: '?!' }, /^image: must be bytes in base64/],
    ['a stream of what has none', '/capabilities/fortune', { about: 'a', stream: true }, /^stream: is unknown/],
    ['too many choices', '/capabilities/ballad/sing', { of: 'a', n: 1000 }, /^n: must be/],
    ['a safeguard in the wrong place', '/capabilities/fortune', { about: 'a', toxicity: true }, /^toxicity: /],
    ['a model that does not do it', '/capabilities/fortune', { about: 'a', model: 'bard' }, /does not offer fortune/],
  ]
  for (const [what, path, body, says] of refused)
    it(`refuses ${what}`, async () => {
      const answer = await ask(path, body)
      expect(answer.status).to.be.within(400, 404)
      expect(answer.body['error']).to.match(says)
    })

  it('is in the listings of models, of those that have it', async () => {
    const listed = async (path: string) => {
      const { data } = (await (await server.get(path)).json()) as { data: { id: string; capabilities: object }[] }
      return data
    }
    const ids = async (path: string) => (await listed(path)).map(({ id }) => id)
    expect(await ids('/models/fortune')).to.deep.equal(['gypsy'])
    expect(await ids('/models/Ballads')).to.deep.equal(['bard'])
    const models = await listed('/models')
    expect(models.find(({ id }) => id === 'gypsy')?.capabilities).to.include({ fortune: true, chat_completion: false })
    expect(models.find(({ id }) => id === 'bard')?.capabilities).not.to.have.property('fortune')
    expect(await (await server.get('/models/telepathy')).json())
      .property('error')
      .to.match(/chat_completion.*fortune/)
    expect(await (await server.get('/v1/capabilities/ballad/sing')).json()).to.deep.equal(['bard'])
  })

  it('is in the document, and what does not ask for a route has none', async () => {
    const document = (await (await server.get('/openapi.json')).json()) as { paths: Record<string, unknown> }
    const paths = Object.keys(document.paths).filter((path) => path.includes('/capabilities/'))
    expect(paths.sort()).to.deep.equal([
      '/capabilities/ballad/sing',
      '/capabilities/ballad/title',
      '/capabilities/fortune',
      '/v1/capabilities/ballad/sing',
      '/v1/capabilities/ballad/title',
      '/v1/capabilities/fortune',
    ])
    expect((await ask('/capabilities/hidden', { at: 'a' })).status).to.equal(404)
    expect((await ask('/capabilities/inference', {})).status).to.equal(404)
  })

  const wrong: [what: string, from: string, to: string, says: RegExp][] = [
    ['is not guarded', 'guarded: true,\n  http', "guarded: { reason: 'none' },\n  http", /it must be guarded/],
    ['has the name of one of the core', "'fortune'", "'chat'", /has the name of a capability of the core/],
    ['has a field that every request has', "about: 'text'", "input: 'text'", /has a field "input"/],
  ]
  for (const [what, from, to, says] of wrong)
    it(`ends a start where it ${what}`, async () => {
      await writeFile(join(server.directory, 'wrong.ts'), plugin.replace(from, to))
      await writeFile(
        join(server.directory, 'wrong.json'),
        JSON.stringify({ plugins: ['@sallyport/koa', './wrong.ts'] }),
      )
      const cli = join(repository, 'core/cli/bin/sallyport.mjs')
      const args = [cli, 'serve', '--config', 'wrong.json', '--port', '0']
      const { code, stderr } = await run(process.execPath, args, { cwd: server.directory })
      expect(code).to.equal(1)
      expect(stderr).to.match(says)
    })
})

/** A check by a stranger, and the specification's beside it: in policies, requests, receipts, routes and commands. */

import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { program, runNode, runSallyport } from '@sallyport/stand-ins/command-line'
import { repository } from './support/repository.js'
import { startServer, useServer } from './support/server.js'

const loud = 'WHO TOOK MY COFFEE'
const config = {
  plugins: ['@sallyport/koa', './shouting.ts', './second.ts', '@sallyport/testing/reference'],
  policies: {
    quiet: { input: { shouting: true } },
    twice: {
      output: {
        'whole-answers': { check: 'shouting', window: 'answer', letters: 30, mode: 'shadow' },
        shouting: { detectors: ['capitals', { model: 'marks', threshold: 0.6 }], combine: 'all' },
      },
    },
  },
  callerPolicy: { output: { roaring: { check: 'shouting', letters: 14 } } },
  server: { policies: { '/completions': 'quiet' } },
  log: { level: 'silent' },
}

/** A second detector of the stranger's check: its exclamation marks. */
const second = `
import { definePlugin } from '@sallyport/core'
import { shouting } from './shouting.js'
class Marks {
  async inspect({ text }) {
    const score = Math.min(1, (text.match(/!/g)?.length ?? 0) / 5)
    return { findings: [], score, explanation: 'marks', detector: 'marks/1', latency: 0 }
  }
}
export default definePlugin({ name: 'second', models: { marks: { capability: shouting, class: Marks } } })
`

interface Answer {
  readonly status: number
  readonly header: string | null
  readonly body: Record<string, unknown>
}

describe('a check by a stranger', function () {
  this.timeout(60_000)
  const example = readFileSync(join(repository, 'examples/shouting.ts'), 'utf8')
  const server = useServer(config, { 'shouting.ts': example, 'second.ts': second })
  const { directory } = server

  const ask = async (path: string, body: object): Promise<Answer> => {
    const response = await server.send(path, body, { 'x-safeguards-receipt': 'true' })
    const header = response.headers.get('x-safeguards')
    return { status: response.status, header, body: (await response.json()) as Record<string, unknown> }
  }
  const chat = (content: string, more: object = {}) =>
    ask('/chat/completions', { model: 'reference-chat', messages: [{ role: 'user', content }], ...more })
  const receipts = ({ body }: Answer) => body['safeguards'] as Record<string, unknown>[]

  it('is a file of fewer than 40 lines', () => {
    expect(example.trim().split('\n').length).to.be.below(40)
  })

  it('blocks in a policy, with its own words', async () => {
    const { status, header, body } = await ask('/completions', { model: 'reference-completion', prompt: loud })
    expect({ status, header, error: body['error'] }).to.deep.equal({
      ...{ status: 400, header: 'shouting=block', error: 'shouting detected' },
    })
  })

  it('is asked for by a caller, who hears of it', async () => {
    const blocked = await chat(loud, { output: { shouting: true } })
    expect([blocked.status, blocked.header]).to.deep.equal([400, 'shouting=block'])
    const passed = await chat('who took my coffee', { input: { shouting: true }, output: { toxicity: true } })
    expect([passed.status, passed.header]).to.deep.equal([200, 'shouting=pass,toxicity=pass'])
    expect(receipts(passed)[0]).to.include({
      check: 'shouting',
      stage: 'input',
      verdict: 'pass',
      detector: 'capitals/1',
    })
  })

  it('stands in requests under a name of the operator’s, with the options of that entry', async () => {
    const short = 'LOUD VOICES'
    expect((await chat(short, { output: { roaring: true } })).header).to.equal('roaring=pass')
    expect((await chat(short, { output: { shouting: true } })).header).to.equal('shouting=block')
    expect((await chat(loud, { output: { roaring: true } })).header).to.equal('roaring=block')
    expect((await chat(loud, { input: { roaring: true } })).status).to.equal(400)
  })

  const misplaced: [what: string, body: object, field: string][] = [
    ['a misspelt one', { output: { shoutin: true } }, 'output.shoutin'],
    ['one beside its container', { shouting: true }, 'shouting'],
    ['an action that it does not know', { output: { shouting: 'replace' } }, 'output.shouting'],
  ]
  for (const [what, body, field] of misplaced)
    it(`refuses ${what}`, async () => {
      const { status, body: answer } = await chat('hello', body)
      expect(status).to.equal(400)
      expect(answer['error']).to.match(new RegExp(`^${field.replace('.', String.raw`\.`)}: `))
    })

  it('leaves fields alone that only share its name', async () => {
    expect((await chat('hello', { shouting: 'a text', metadata: { shouting: 'a text' } })).status).to.equal(200)
  })

  it('has several detectors, all of which must find something', async () => {
    const policies = { ...config, server: { policies: { '/chat/completions': 'twice' } } }
    await writeFile(join(directory, 'twice.json'), JSON.stringify(policies))
    const state = { SALLYPORT_HOME: join(directory, 'state') }
    const other = await startServer(join(directory, 'twice.json'), state)
    try {
      const said = async (content: string) => {
        const response = await other.post('/chat/completions', { model: 'reference-chat', messages: content })
        return response.headers.get('x-safeguards')
      }
      expect(await said(loud)).to.equal('shouting=pass,whole-answers=shadow-pass')
      expect(await said(`${loud}!!!!`)).to.equal('shouting=block')
      expect(await said(`${'AB '.repeat(20)}!!`)).to.equal('shouting=pass,whole-answers=shadow-block')
      expect(await said('what!!!!!')).to.equal('shouting=pass,whole-answers=shadow-pass')
    } finally {
      await other.stop()
    }
    // The request that is blocked has no whole answer.
    const { output } = await runSallyport(['guard', 'scores'], directory, state)
    expect(output).to.contain('twice output whole-answers: 3 requests, in 7 days')
  })

  it('is in the listings of models and in the document of its route', async () => {
    const { data } = (await (await server.get('/models/shouting')).json()) as { data: { id: string }[] }
    expect(data.map(({ id }) => id)).to.deep.equal(['capitals', 'marks'])
    const document = (await (await server.get('/openapi.json')).json()) as {
      paths: Record<string, { post: { parameters: { name: string; schema: { enum?: string[] } }[] } }>
    }
    const [parameter] = document.paths['/checks/{check}']?.post.parameters ?? []
    expect(parameter?.name).to.equal('check')
    expect(parameter?.schema.enum).to.include.members(['shouting', 'roaring', 'pii'])
  })

  it('has a route of its own, in both dialects', async () => {
    const { body } = await ask('/checks/shouting', { prompt: ['👋 hello', `👋 ${loud}`], options: { letters: 12 } })
    expect(body).to.include({ object: 'check', check: 'shouting' })
    expect(body['id']).to.match(/^check-/)
    expect(body['checks']).to.deep.equal([
      { index: 0, status: 'success', flagged: false, score: 0.000001, findings: [] },
      {
        ...{ index: 1, status: 'success', flagged: true, score: 0.999999 },
        findings: [{ start: 0, end: 20, type: 'shouting', score: 0.999999 }],
      },
    ])
    const wrong = await ask('/v1/checks/shouting', { prompt: 'a', options: { letters: 'many' } })
    expect(wrong.body['error']).to.include({ param: 'options.letters', type: 'invalid_request_error' })
  })

  const asked: [what: string, path: string, body: object, status: number, says: RegExp][] = [
    ['an unknown check', '/checks/shoutin', { prompt: 'a' }, 400, /is not a check: did you mean "shouting"\?/],
    [
      'an unknown option',
      '/checks/shouting',
      { prompt: 'a', options: { letter: 1 } },
      400,
      /options\.letter: unknown key/,
    ],
    [
      'an option beside the others',
      '/checks/shouting',
      { prompt: 'a', letters: 1 },
      400,
      /^letters: must be inside "options"/,
    ],
    ['a comparison with nothing', '/checks/factuality', { prompt: 'a' }, 400, /^reference: is required/],
    ['no text', '/checks/shouting', {}, 400, /^prompt: /],
    [
      'a threshold',
      '/checks/shouting',
      { prompt: 'a', threshold: 0.1 },
      400,
      /thresholds are set in the configuration/,
    ],
  ]
  for (const [what, path, body, status, says] of asked)
    it(`refuses ${what} by itself`, async () => {
      const answer = await ask(path, body)
      expect(answer.status).to.equal(status)
      expect(answer.body['error']).to.match(says)
    })

  it('replaces by itself what it finds, where it can', async () => {
    const options = { action: 'replace', method: 'category' }
    const { body } = await ask('/checks/pii', { prompt: 'Mail jane@example.org', options })
    expect(body['checks']).to.deep.equal([
      { index: 0, status: 'success', flagged: true, replaced: 'Mail <EMAIL_ADDRESS>' },
    ])
  })

  it('is listed with its options', async () => {
    const { data } = (await (await server.get('/v1/checks')).json()) as { data: { id: string; options: object }[] }
    expect(data.map(({ id }) => id)).to.deep.equal([
      'injection',
      'pii',
      'toxicity',
      'shouting',
      'roaring',
      'factuality',
    ])
    const shown = data.find(({ id }) => id === 'shouting')
    expect(shown).to.deep.include({ check: 'shouting', kind: 'score', threshold: 0.5 })
    expect(shown?.options).to.have.nested.property('properties.letters.default', 10)
  })

  it('is in the document of the interface', async () => {
    const document = JSON.stringify(await (await server.get('/openapi.json')).json())
    expect(document)
      .to.include('/checks/{check}')
      .and.match(/"roaring":\{[^{}]*"boolean"/)
  })

  it('is tried and measured at the command line, and in its reports', async () => {
    const tried = await runSallyport(['guard', 'try', loud, '--config', 'config.json'], directory)
    expect(tried.output).to.match(/shouting.* finds/)
    const rows = [
      { text: loud, label: 1 },
      { text: 'quiet', label: 0 },
    ]
    await writeFile(join(directory, 'rows.jsonl'), rows.map((row) => JSON.stringify(row)).join('\n'))
    const measured = await runSallyport(
      ['guard', 'eval', 'rows.jsonl', '--check', 'shouting', '--config', 'config.json'],
      directory,
    )
    expect(measured.output).to.match(/^shouting on rows\.jsonl: 2 rows/)
    const checked = await runSallyport(['check', 'config.json'], directory)
    expect(checked.output).to.include('quiet: input.shouting').and.include('config.json is valid')
  })

  const start = () => runNode([program, 'serve', '--config', 'wrong.json', '--port', '0'], directory)

  const wrong: [what: string, change: object, says: RegExp][] = [
    [
      'is misspelt',
      { policies: { default: { input: { shoutng: true } } } },
      /brings a check "shoutng": did you mean "shouting"/,
    ],
    [
      'has an option that it does not know',
      { policies: { default: { input: { shouting: { letter: 3 } } } } },
      /policies\.default\.input\.shouting\.letter: unknown key/,
    ],
    [
      'names a detector that there is not',
      { policies: { default: { input: { shouting: { detectors: ['capitols'] } } } } },
      /"capitols" is not a model that provides shouting \(there are: capitals, marks\)/,
    ],
    [
      'takes the mean of spans',
      { policies: { default: { input: { pii: { combine: 'mean' } } } } },
      /policies\.default\.input\.pii\.combine: must be "any" or "all"/,
    ],
  ]
  for (const [what, change, says] of wrong)
    it(`ends a start where a policy ${what}`, async () => {
      await writeFile(join(directory, 'wrong.json'), JSON.stringify({ ...config, server: {}, ...change }))
      const { code, output } = await start()
      expect(code, output).to.equal(1)
      expect(output).to.match(says)
    })

  it('ends a start where another plugin means something else by its name', async () => {
    const other = `
import { definePlugin, scoreCheck } from '@sallyport/core'
const shouting = scoreCheck('shouting', { stages: { input: 'another' }, order: 1, message: 'loud' })
class Never { async inspect() {} }
export default definePlugin({ name: 'other', models: { never: { capability: shouting, class: Never } } })`
    await writeFile(join(directory, 'other.ts'), other)
    await writeFile(
      join(directory, 'wrong.json'),
      JSON.stringify({ ...config, plugins: [...config.plugins, './other.ts'] }),
    )
    const { output } = await start()
    expect(output).to.match(/plugin other: its check "shouting" is another one than that of shouting/)
  })

  it('ends a start where its name is an option of another check', async () => {
    const callerPolicy = { output: { entity_list: { check: 'shouting', letters: 14 } } }
    await writeFile(join(directory, 'wrong.json'), JSON.stringify({ ...config, callerPolicy }))
    const { code, output } = await start()
    expect(code).to.equal(1)
    expect(output).to.match(
      /the check "entity_list": "entity_list" is already an option of the check "pii" in requests: give the check another name/,
    )
  })

  it('leaves the checks of the specification known where no plugin brings them', async () => {
    const plugins = ['@sallyport/koa', join(repository, 'examples/shout.ts')]
    await writeFile(join(directory, 'bare.json'), JSON.stringify({ plugins }))
    const bare = await startServer(join(directory, 'bare.json'))
    try {
      const body = { model: 'shout-1', messages: 'hello' }
      for (const [path, asking, check] of [
        ['/chat/completions', { ...body, output: { toxicity: true } }, 'toxicity'],
        ['/chat/completions', { ...body, input: { pii: 'replace' } }, 'pii'],
        ['/checks/injection', { prompt: 'a' }, 'injection'],
      ] as const) {
        const response = await bare.post(path, asking)
        expect(response.status, path).to.equal(503)
        expect(await response.json()).to.deep.equal({ error: `safeguard unavailable: ${check}` })
      }
    } finally {
      await bare.stop()
    }
  })
})

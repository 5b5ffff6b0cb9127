/** The commands and clients of README and of the pages in docs that talk to a server are run as they stand there. */

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createKernel } from '@sallyport/kernel'
import { chat } from '@sallyport/core'
import { expect } from 'chai'
import { blocks, documents } from './support/documents.js'
import { repository } from './support/repository.js'
import { run } from './support/run.js'
import { startServer } from './support/server.js'
import type { RunningServer } from './support/server.js'

/** Models of reference under the names that the documents use, and one that hears the same in every file. */
const named = `
import { chat, definePlugin, embedding, rerank, serve, transcription } from '@sallyport/core'
import { EchoChat, OverlapRerank, TrigramEmbedding } from '@sallyport/testing/reference'
class Listener { async *stream() { yield { segment: { text: 'Hello.', start: 0, end: 1 } }; yield { language: 'en', duration: 1 } } }
export default definePlugin({ name: 'named', models: {
  'smollm2-135m-instruct': { capability: chat, class: EchoChat, contextLength: 4096, features: { tools: true } },
  'all-minilm-l6-v2': { capability: embedding, class: TrigramEmbedding, also: [serve(rerank, OverlapRerank)] },
  'whisper-1': { capability: transcription, class: Listener },
} })
`

const config = {
  plugins: ['./named.mjs', '@sallyport/testing/reference', '@sallyport/koa', '@sallyport/mcp'],
  mcp: {
    servers: {
      'small-tools': { command: 'node', args: [join(repository, 'plugins/mcp/dist/src/small-tools/server.js')] },
    },
  },
}

/** What these commands are answered with, where it is not 200. */
const refused = { 'README.md': ['prompt injection detected'] } as Readonly<Record<string, readonly string[]>>

describe('the commands of the documents', function () {
  this.timeout(120_000)
  let directory: string
  let server: RunningServer
  before(async () => {
    directory = await mkdtemp(join(repository, 'test/dist/commands-'))
    await writeFile(join(directory, 'named.mjs'), named)
    await writeFile(join(directory, 'config.json'), JSON.stringify(config))
    await writeFile(join(directory, 'report.pdf'), 'A report.')
    await writeFile(join(directory, 'talk.mp3'), 'A recording.')
    server = await startServer(join(directory, 'config.json'))
  })
  after(async () => {
    await server.stop()
    await rm(directory, { recursive: true })
  })

  /** Answers and statuses, in their order. */
  const outcomesOf = async (script: string) => {
    const report = `curl() { command curl --silent --show-error "$@" --write-out '\\n%{http_code} %{url_effective}\\n'; }\n`
    const { stdout, stderr } = await run('bash', ['-c', report + script], { cwd: directory })
    expect(stderr, 'what the shell complains about').to.equal('')
    return Array.from(stdout.matchAll(/([^]*?)\n(\d{3}) (http\S+)\n/g), ([, answer = '', status, url]) => ({
      answer,
      status: Number(status),
      url,
    }))
  }

  for (const { path, text } of documents.filter(({ path }) => path === 'README.md' || path.startsWith('docs/'))) {
    const shell = blocks(text, 'sh').filter((block) => /^(?:ask|curl) /m.test(block))
    if (shell.length)
      it(`are answered: ${path}`, async () => {
        const script = shell
          .join('\n')
          .replaceAll('http://127.0.0.1:8080', server.url)
          .replaceAll('SALLYPORT_API_KEY=sp-…', `SALLYPORT_API_KEY=${server.key}`)
          .replaceAll('Spanish', 'German') // the only other language of the reference model
        const outcomes = await outcomesOf(script)
        expect(outcomes).to.have.length(shell.join('\n').match(/^(?:ask|curl) /gm)!.length)
        const failed = outcomes.filter(({ status }) => status !== 200)
        expect(failed.length, JSON.stringify(failed)).to.equal((refused[path] ?? []).length)
        for (const [index, message] of (refused[path] ?? []).entries()) {
          expect(failed[index]!.status).to.equal(400)
          expect(failed[index]!.answer).to.contain(message)
        }
      })

    for (const client of blocks(text, 'js').filter((block) => block.includes('127.0.0.1:8080')))
      it(`are answered: the client of ${path}`, async () => {
        await writeFile(join(directory, 'client.mjs'), client.replace('http://127.0.0.1:8080', server.url))
        const env = { SALLYPORT_API_KEY: server.key }
        const { code, stdout, stderr } = await run(process.execPath, ['client.mjs'], { cwd: directory, env })
        expect({ code, stdout, stderr }).to.deep.equal({
          code: 0,
          stdout: 'Why is the sky blue?\nWhy is the sky blue?',
          stderr: '',
        })
      })
  }
})

describe('the plugin that README shows', () => {
  it('is a model that the kernel serves', async () => {
    const readme = documents.find(({ path }) => path === 'README.md')?.text ?? ''
    const directory = await mkdtemp(join(tmpdir(), 'sallyport-shown-'))
    try {
      await writeFile(join(directory, 'shout.ts'), blocks(readme, 'ts')[0]!)
      const kernel = await createKernel({ plugins: ['./shout.ts'] }, { baseDirectory: directory })
      const { choices } = await kernel.get(chat, 'shout-1').generate({ messages: [{ role: 'user', content: 'hello' }] })
      expect(choices[0]?.text).to.equal('"HELLO"')
      await kernel.stop()
    } finally {
      await rm(directory, { recursive: true })
    }
  })
})

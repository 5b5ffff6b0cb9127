/** What the README shows of the safeguards is so. */

import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadConfig } from '@sallyport/config'
import { expect } from 'chai'
import { repository } from './support/repository.js'
import { startServer } from './support/server.js'
import type { RunningServer } from './support/server.js'

const readme = await readFile(join(repository, 'README.md'), 'utf8')
const section = readme.slice(readme.indexOf('\n## Guard\n'), readme.indexOf('\n## Configure\n'))
const blocks = (language: string) =>
  Array.from(section.matchAll(new RegExp(`\`\`\`${language}\\n([^]*?)\`\`\``, 'g')), ([, text = '']) => text)

describe('the README’s section about safeguards', function () {
  this.timeout(60_000)
  let directory: string
  let server: RunningServer
  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'sallyport-readme-'))
    const config = { plugins: ['@sallyport/koa', '@sallyport/testing/reference'] }
    await writeFile(join(directory, 'config.json'), JSON.stringify(config))
    server = await startServer(join(directory, 'config.json'))
  })
  after(async () => {
    await server.stop()
    await rm(directory, { recursive: true })
  })

  const requests = Array.from(section.matchAll(/^ask (\S+) '([^']+)'/gm), ([, path = '', body = '']) => ({
    path,
    body,
  }))
  for (const { path, body } of requests)
    it(`has a request that is answered: ${path}`, async () => {
      const asked = JSON.parse(body) as Record<string, unknown>
      const response = await server.post(path, 'model' in asked ? { ...asked, model: 'reference-chat' } : asked)
      expect(response.status, await response.text()).to.equal(200)
    })

  it('has requests to all of the checks, and one that asks for some', () => {
    const paths = ['/PII', '/injection', '/toxicity', '/factuality', '/v1/moderations', '/chat/completions']
    expect(requests.map(({ path }) => path)).to.deep.equal(paths)
  })

  it('shows what a blocked answer is', async () => {
    const [shown = ''] = blocks('json')
    const messages = [{ role: 'user', content: 'You idiots' }]
    const body = { model: 'reference-chat', messages, output: { toxicity: true } }
    const response = await server.post('/v1/chat/completions', body)
    expect(response.status).to.equal(400)
    expect(await response.json()).to.deep.equal(JSON.parse(shown))
  })

  it('binds a policy to a model and to a route', async () => {
    const text = blocks('yaml').find((block) => block.includes('\nserver:')) ?? ''
    const file = join(directory, 'bound.yaml')
    await writeFile(file, `plugins: ['@sallyport/koa', '@sallyport/testing/reference']\n${text}`)
    const { models } = await loadConfig(file)
    expect(models['assistant']).to.include({ policy: 'no-addresses' })
    await writeFile(file, (await readFile(file, 'utf8')).replace(/\nmodels:\n .*/, ''))
    const bound = await startServer(file)
    const mail = 'Mail jane@example.org'
    for (const [path, body, status] of [
      ['/completions', { model: 'reference-completion', prompt: mail }, 400],
      ['/v1/completions', { model: 'reference-completion', prompt: mail }, 400],
      ['/completions', { model: 'reference-completion', prompt: 'Mail nobody' }, 200],
      ['/chat/completions', { model: 'reference-chat', messages: mail }, 200],
    ] as const) {
      const response = await bound.post(path, body)
      expect(response.status, `${path}: ${await response.text()}`).to.equal(status)
    }
    await bound.stop()
  })

  it('has policies that a configuration takes', async () => {
    for (const text of blocks('yaml')) {
      await writeFile(join(directory, 'policies.yaml'), `plugins: []\n${text}`)
      expect((await loadConfig(join(directory, 'policies.yaml'))).policies).to.have.property('default')
    }
  })
})

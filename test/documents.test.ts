/** What the documents show is so: requests are answered, configurations taken, and what they name is there. */

import { readdirSync, readFileSync } from 'node:fs'
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { loadConfig } from '@sallyport/config'
import { loadPlugins } from '@sallyport/kernel'
import { program, runNode } from '@sallyport/stand-ins/command-line'
import { expect } from 'chai'
import { anchorsOf, blocks, codeIn, documents, isThere, matchesIn, sources } from './support/documents.js'
import { repository } from './support/repository.js'
import { startServer, useServer } from './support/server.js'

const textOf = (path: string) => documents.find((document) => document.path === path)?.text ?? ''
const guide = textOf('docs/guard.md')

describe('the pages about safeguards', function () {
  this.timeout(60_000)
  const server = useServer({ plugins: ['@sallyport/koa', '@sallyport/testing/reference'] })
  const { directory } = server

  it('name routes that there are, as other documents do', async () => {
    const { paths: routes } = (await (await server.get('/openapi.json')).json()) as { readonly paths: object }
    const named = documents.flatMap(({ text }) =>
      matchesIn(text, /(?:(?:127\.0\.0\.1|localhost):8080|^ask )(\/[\w/]+)/gm),
    )
    const patterns = Object.keys(routes).map((route) => new RegExp(`^${route.replaceAll(/\{\w+\}/g, '[^/]+')}(?:/|$)`))
    const isRoute = (path: string) =>
      patterns.some((pattern) => pattern.test(path)) ||
      Object.keys(routes).some((route) => route.startsWith(`${path}/`))
    expect(named.filter((path) => !isRoute(path))).to.deep.equal([])
  })

  it('show what a blocked answer is', async () => {
    const [shown = ''] = blocks(guide, 'json')
    const messages = [{ role: 'user', content: 'You idiots' }]
    const body = { model: 'reference-chat', messages, output: { toxicity: true } }
    const response = await server.post('/v1/chat/completions', body)
    expect(response.status).to.equal(400)
    expect(await response.json()).to.deep.equal(JSON.parse(shown))
  })

  it('bind a policy to a model and to a route', async () => {
    const text = blocks(guide, 'yaml').find((block) => block.includes('\nserver:')) ?? ''
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
})

const paths = [
  /(?:^|\s)((?:(?:core|plugins|config|examples|test)\/[\w./*-]+))/g,
  /(?:^|\s)([\w./*-]+\.(?:[cm]?ts|mjs|sh|py))$/g,
]

describe('what documents name', () => {
  for (const { path, text } of documents) {
    const shell = blocks(text, 'sh').flatMap((block) => block.split('\n'))

    it(`is there: files in ${path}`, () => {
      const named = [...codeIn(text), ...shell].flatMap((code) => paths.flatMap((pattern) => matchesIn(code, pattern)))
      expect(named.filter((name) => !isThere(name))).to.deep.equal([])
    })

    it(`is there: where links of ${path} lead`, () => {
      const links = matchesIn(text.replaceAll(/`[^`]*`/g, ''), /\]\(([^)]+)\)/g).filter((link) => !/^\w+:/.test(link))
      const lost = links.filter((link) => {
        const [file = '', anchor] = link.split('#')
        const to = file ? join(dirname(path), file) : path
        const headings = documents.find((document) => document.path === to)?.text ?? ''
        return !isThere(to) || (anchor !== undefined && !anchorsOf(headings).includes(anchor))
      })
      expect(lost).to.deep.equal([])
    })

    it(`is in the code: names in ${path}`, () => {
      const names = codeIn(text).flatMap((code) => code.match(/\b[a-z]+[A-Z]\w*/g) ?? [])
      expect(names.filter((name) => !sources.includes(name))).to.deep.equal([])
    })

    for (const block of [...blocks(text, 'ts'), ...blocks(text, 'js')])
      for (const [, names = '', from = ''] of block.matchAll(/^import \{([^}]*)\} from '(@sallyport\/[^']+)'/gm))
        it(`is exported: ${names.trim()} from ${from} in ${path}`, async () => {
          expect(await import(from)).to.include.keys(names.split(',').map((name) => name.trim()))
        })
  }
})

describe('the rooms of ARCHITECTURE.md', () => {
  const text = textOf('ARCHITECTURE.md')
  const rooms = text.slice(text.indexOf('\n## Rooms\n'), text.indexOf('\n## A request'))
  const { exports } = JSON.parse(readFileSync(join(repository, 'core/kit/package.json'), 'utf8')) as { exports: object }

  for (const [what, names] of Object.entries({
    'packages of the core': readdirSync(join(repository, 'core')).map((name) => `\n  ${name}/`),
    plugins: readdirSync(join(repository, 'plugins')).map((name) => `\nplugins/${name}/ `),
    'sub-paths of the kit': Object.keys(exports).flatMap((path) => /^\.\/([\w-]+)$/.exec(path)?.[1] ?? []),
  }))
    it(`are all ${what}`, () => {
      expect(names.filter((name) => !rooms.includes(name))).to.deep.equal([])
    })
})

const groups = ['guard', 'keys', 'models', 'tools']

/** The words that name it: what follows are arguments. */
const commandOf = (line: string): string => {
  const [name = '', next = ''] = line.split(/[^a-z]+/)
  return groups.includes(name) && next ? `${name} ${next}` : name
}

const plugins = readdirSync(join(repository, 'plugins')).map((name) => `@sallyport/${name}`)

describe('what documents show', function () {
  this.timeout(60_000)
  let directory: string
  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'sallyport-documents-'))
    await cp(join(repository, 'examples'), directory, { recursive: true })
    const commanding = ['@sallyport/koa', '@sallyport/mcp']
    await writeFile(join(directory, 'sallyport.yaml'), JSON.stringify({ plugins: commanding }))
  })
  after(() => rm(directory, { recursive: true }))

  for (const { path, text } of documents)
    for (const block of blocks(text, 'yaml'))
      it(`is a configuration that is taken: ${path}, ${block.split('\n', 2).join(' ')}`, async () => {
        const model = `models:\n x:\n  backend: ${basename(dirname(path))}\n  ${block.replaceAll('\n', '\n  ')}`
        const whole = block.startsWith('options:') ? model : block
        const file = join(directory, 'shown.yaml')
        await writeFile(file, /^plugins:/m.test(whole) ? whole : `plugins: ${JSON.stringify(plugins)}\n${whole}`)
        const variables = matchesIn(block, /\$\{(\w+)\}/g).map((name) => [name, 'x'] as const)
        await loadPlugins(await loadConfig(file, { environment: Object.fromEntries(variables) }))
      })

  const written = documents.flatMap(({ text }) => [...codeIn(text), ...blocks(text, 'sh')]).join('\n')
  const lines = matchesIn(written, /\bsallyport ([a-z]+\b.*)$/gm)

  it('is a script of the package', async () => {
    const { scripts } = JSON.parse(await readFile(join(repository, 'package.json'), 'utf8')) as { scripts: object }
    expect(scripts).to.include.keys(matchesIn(written, /\bnpm (?:run )?(start|test|(?<=run )\w+)/g))
  })

  for (const command of new Set(lines.map((line) => commandOf(line))))
    it(`is a command: ${command}`, async () => {
      const help = (words: string[]) => runNode([program, ...words, '--help', '--config', 'sallyport.yaml'], directory)
      const { output } = await help(command.split(' '))
      expect(output).to.match(new RegExp(`^Usage: sallyport ${command} `))
      const flags = lines.filter((line) => commandOf(line) === command).flatMap((line) => line.match(/--[\w-]+/g) ?? [])
      for (const flag of flags) expect(output).to.include(flag)
    })
})

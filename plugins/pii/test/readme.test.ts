import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createKernel, pii } from '@sallyport/core'
import { expect } from 'chai'
import plugin from '../src/index.js'
import { recognizers } from '../src/recognizers/index.js'

/** Numbers of countries whose check digits are known, beside those of the United States and the United Kingdom. */
const fewest = 20

describe('the README', () => {
  let readme: string
  before(async () => {
    readme = await readFile(new URL('../../README.md', import.meta.url), 'utf8')
  })

  it('names every entity that is found', () => {
    const table = readme.slice(readme.indexOf('## What is found'), readme.indexOf('## Replacing'))
    const named = Array.from(table.matchAll(/`([A-Z][A-Z_]+)`/g), ([, name]) => name)
    expect(named).to.include.members([...new Set(recognizers.map(({ entity }) => entity))])
  })

  it('shows a recogniser in a file that works', async () => {
    const [, source = ''] = /```js\n([^]*?)```/.exec(readme) ?? []
    const folder = await mkdtemp(join(tmpdir(), 'sallyport-pii-'))
    await writeFile(join(folder, 'plate.mjs'), source)
    const options = { key: 'a key of sixteen', recognizers: ['./plate.mjs'] }
    const kernel = await createKernel(
      { plugins: [plugin], models: { pii: { backend: 'pii', options } } },
      { baseDirectory: folder },
    )
    const text = 'AB-0000 is none, but the plate XY-4321 is'
    const { findings } = await kernel.get(pii, 'pii').inspect({ text })
    expect(findings.map(({ type, start, end }) => `${type} ${text.slice(start, end)}`)).to.deep.equal(['PLATE XY-4321'])
    await kernel.stop()
    await rm(folder, { recursive: true })
  })
})

describe('national numbers', () => {
  it('of more than twenty countries are checked', () => {
    const countries = recognizers
      .filter(({ entity, validate }) => validate && /^[A-Z]{2}_/.test(entity) && !/^(?:US|UK|IP)_/.test(entity))
      .map(({ entity }) => entity.slice(0, 2))
    expect(new Set(countries).size).to.be.above(fewest)
  })
})

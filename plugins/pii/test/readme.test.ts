import { readFile } from 'node:fs/promises'
import { createKernel } from '@sallyport/kernel'
import { pii } from '@sallyport/checks'
import type { Kernel } from '@sallyport/core'
import { loadConfig } from '@sallyport/config'
import { expect } from 'chai'
import { useTemporaryDirectory } from '@sallyport/stand-ins/temporary'
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

  describe('shows recognisers', () => {
    const { path: folder, write } = useTemporaryDirectory()
    let kernel: Kernel
    before(async () => {
      const own = readme.slice(readme.indexOf('## Recognisers of your own'))
      const [, source = ''] = /```js\n([^]*?)```/.exec(own) ?? []
      const [, options = ''] = /```yaml\n([^]*?)```/.exec(own) ?? []
      write('plate.mjs', source)
      const model = `  pii:\n    backend: pii\n${options.replace(/^(?=.)/gm, '    ')}      key: a key of sixteen\n`
      const { models } = await loadConfig(write('config.yaml', `plugins: []\nmodels:\n${model}`))
      kernel = await createKernel({ plugins: [plugin], models }, { baseDirectory: folder })
    })
    after(() => kernel.stop())

    const texts: [text: string, found: string[]][] = [
      ['AB-0000 is none, but the plate XY-4321 is', ['PLATE XY-4321']],
      ['the plates XY-4321, AB-0000', ['PLATE XY-4321']],
      ['staff number 12345674', ['BADGE 12345674']],
      ['12345674', []],
      ['export KEY=sk-proj-abc123DEF456ghi789', ['API_KEY sk-proj-abc123DEF456ghi789']],
      ['ask-me-anything-about-this-topic', []],
    ]
    for (const [text, found] of texts)
      it(`that work: ${text}`, async () => {
        const { findings } = await kernel.get(pii, 'pii').inspect({ text })
        expect(findings.map(({ type, start, end }) => `${type} ${text.slice(start, end)}`)).to.deep.equal(found)
      })
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

import { expect } from 'chai'
import { loadPlugins } from '@sallyport/kernel'
import { useTemporaryDirectory } from '@sallyport/stand-ins/temporary'
import { loadConfig } from '../src/load.js'
import { references, structure, syntax } from './core-mistakes.js'
import { fixture, settings } from './plugin-mistakes.js'

describe('mistakes in a configuration', () => {
  const directory = useTemporaryDirectory()
  directory.write('fixture.mjs', fixture)
  directory.write('plain.mjs', "export default { name: 'plain' }")

  const cases = { structure, syntax, 'references to the environment': references, 'what plugins read': settings }
  for (const [kind, mistakes] of Object.entries(cases))
    describe(kind, () => {
      for (const { title, text, message } of mistakes)
        it(title, async () => {
          const file = directory.write('config.yaml', text)
          const failure = await directory.failureOf(async () => loadPlugins(await loadConfig(file)))
          expect(failure.replaceAll('config.yaml', '').replace(/^(config|plugin)_invalid /, '')).to.equal(message)
        })
    })

  it('says at most twenty at once', async () => {
    const file = directory.write('config.yaml', Array.from({ length: 30 }, (_, index) => `zz${index}qq: 1`).join('\n'))
    const failure = await directory.failureOf(async () => loadPlugins(await loadConfig(file)))
    expect(failure.split('\n')).to.have.length(22)
    expect(failure).to.match(/^config_invalid 30 problems\n[^]*and 10 more$/)
  })
})

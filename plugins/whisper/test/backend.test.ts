import { dirname } from 'node:path'
import { truncateSync } from 'node:fs'
import { expect } from 'chai'
import { SallyportError, silentLogger } from '@sallyport/core'
import { WhisperBackend } from '../src/backend.js'
import { estimate } from '../src/estimate.js'
import { convertedModel } from '../src/graph/convert.js'
import { temporaryFolder } from './support/files.js'
import { loadOptions, parrotFiles } from './support/model.js'

describe('loading a model', () => {
  const file = temporaryFolder()
  const files = parrotFiles(file, ['one'])
  const spec = { id: 'parrot', files, options: loadOptions }

  const refusal = async (own: typeof spec): Promise<string> => {
    const backend = new WhisperBackend(own, silentLogger, file.folder)
    try {
      await backend.load()
    } catch (error) {
      expect(error).to.be.instanceOf(SallyportError)
      expect((error as SallyportError).code).to.equal('model_invalid')
      return (error as SallyportError).message
    } finally {
      await backend.stop()
    }
    throw new Error('it was loaded')
  }

  it('refuses a file that is none, and says what is wrong', async () => {
    const damaged = { ...files, model: file('no model '.repeat(9)) }
    expect(await refusal({ ...spec, files: damaged })).to.match(/not a CTranslate2 model/)
  })

  it('refuses a vocabulary that is too short for the model', async () => {
    const short = { ...files, 'vocabulary.txt': file('a\n<|endoftext|>') }
    expect(await refusal({ ...spec, files: short })).to.match(/vocabulary/)
    const broken = { ...files, 'vocabulary.txt': file('["a", "b') }
    expect(await refusal({ ...spec, files: broken })).to.match(/vocabulary is not a list/)
  })

  it('refuses graphs that are damaged, and names their folder', async () => {
    const own = { ...spec, options: { ...loadOptions, weights: 'float32' as const } }
    const from = { model: files['model']!, vocabulary: files['vocabulary.txt'], config: undefined }
    const { encoderPath } = convertedModel(from, 'float32', `${file.folder}/converted`, () => undefined)
    truncateSync(encoderPath, 100)
    expect(await refusal(own)).to.include(dirname(encoderPath))
  })

  it('is estimated by the parameters, and more in 32 bits', async () => {
    const [small, large] = await Promise.all(
      (['int8', 'float32'] as const).map((weights) => estimate({ ...spec, options: { ...loadOptions, weights } })),
    )
    // of its vocabulary alone
    const parameters = 51_864 * 64
    expect(small!.weights).to.be.within(2 * parameters, 3 * parameters)
    expect(large!.weights).to.equal(3 * small!.weights)
  })

  it('is estimated where the file cannot be read, too', async () => {
    const damaged = { ...files, model: file('no model '.repeat(9)) }
    expect((await estimate({ ...spec, files: damaged })).weights).to.equal(81)
  })
})

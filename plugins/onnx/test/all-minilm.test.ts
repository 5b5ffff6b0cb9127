import { monitorEventLoopDelay } from 'node:perf_hooks'
import { createKernel, embedding, isSallyportError, rerank, tokens } from '@sallyport/core'
import type { Capability, Kernel } from '@sallyport/core'
import { conformanceCases, runConformance } from '@sallyport/core/conformance'
import { expect } from 'chai'

const id = 'all-minilm-l6-v2'

describe('all-MiniLM-L6-v2 in a process of its own', () => {
  let kernel: Kernel

  before(async function () {
    // its files may have to be fetched
    this.timeout(300_000)
    kernel = await createKernel({
      plugins: [new URL('../src/index.js', import.meta.url)],
      models: { [id]: { backend: 'onnx', options: { contextLength: 256 } } },
    })
  })
  after(async () => (kernel as Kernel | undefined)?.stop())

  const embed = async (text: string) => (await kernel.get(embedding, id).embed({ inputs: [{ text }] })).vectors[0]

  const served = <Service extends object>(capability: Capability<Service>) => ({
    create: () => Promise.resolve(kernel.get(capability, id) as unknown as Service),
  })
  runConformance(embedding, { ...served(embedding), facts: { contextLength: 256, dimensions: 384 } })
  runConformance(rerank, served(rerank))
  runConformance(tokens, {
    ...served(tokens),
    skip: Object.fromEntries(
      conformanceCases(tokens)
        .filter(({ name }) => /^round trip|^lone surrogates|^offsets/.test(name))
        .map(({ name }) => [
          name,
          'its vocabulary (WordPiece, lower case) loses case, spaces and what it does not know',
        ]),
    ),
  })

  it('leaves the event loop of the kernel free, whatever is asked of it', async function () {
    this.timeout(60_000)
    const service = kernel.get(embedding, id)
    const inputs = Array.from({ length: 3000 }, (_, index) => ({ text: `${index} the cat sat on the mat` }))
    await service.embed({ inputs: inputs.slice(0, 600) })
    const delay = monitorEventLoopDelay({ resolution: 1 })
    delay.enable()
    const { vectors } = await service.embed({ inputs })
    delay.disable()
    expect(vectors).to.have.length(inputs.length)
    expect(delay.percentile(99) / 1e6, 'milliseconds').to.be.below(10)
  })

  it('answers a single text while thousands wait', async function () {
    this.timeout(60_000)
    const service = kernel.get(embedding, id)
    const flood = new AbortController()
    const inputs = Array.from({ length: 5000 }, (_, index) => ({ text: `${index} the cat sat on the mat` }))
    const flooding = service.embed({ inputs }, { signal: flood.signal }).catch((error: unknown) => error)
    await embed('warm')
    const started = performance.now()
    await embed('A single text.')
    const waited = performance.now() - started
    flood.abort()
    await flooding
    expect(waited).to.be.below(3000)
    // what was given up does not go on
    const afterwards = performance.now()
    await embed('Another one.')
    expect(performance.now() - afterwards).to.be.below(3000)
  })

  it('refuses a picture with words that help', async () => {
    const inputs = [{ image: new Uint8Array(8), mediaType: 'image/png' }]
    const error: unknown = await kernel
      .get(embedding, id)
      .embed({ inputs })
      .catch((reason: unknown) => reason)
    expect(isSallyportError(error) && [error.code, error.message]).to.deep.equal([
      'unsupported',
      'input: this model does not take pictures: use one that is listed under embedding_with_image',
    ])
  })
})

import { expect } from 'chai'
import { createKernel } from '@sallyport/kernel'
import { transcription } from '@sallyport/core'
import type { Kernel, TranscriptionRequest } from '@sallyport/core'
import { temporaryFolder } from './support/files.js'
import { s16, tone, wav } from './support/sounds.js'

describe('whisper-tiny.en', () => {
  const id = 'whisper-tiny.en'
  const file = temporaryFolder()
  let kernel: Kernel | undefined

  before(async function () {
    // its files may have to be fetched, and are converted
    this.timeout(300_000)
    kernel = await createKernel({
      plugins: [new URL('../src/index.js', import.meta.url)],
      models: { [id]: { backend: 'whisper' } },
    })
  })
  after(() => kernel?.stop())

  const transcribe = async (samples: Float32Array, options: Omit<TranscriptionRequest, 'file'> = {}) => {
    const request = { file: file(wav(samples, s16)), ...options }
    const chunks = []
    for await (const chunk of kernel!.get(transcription, id).stream(request)) chunks.push(chunk)
    return chunks
  }

  it('is loaded, and says what it is', () => {
    expect(kernel!.describe(transcription, id)?.description).to.match(/English/)
  })

  for (const [name, samples] of [
    ['silence', new Float32Array(16_000 * 3)],
    ['a tone', tone(440, 16_000, 3)],
    ['noise', Float32Array.from({ length: 16_000 * 3 }, (_, index) => (((index * 7919) % 1009) / 1009 - 0.5) * 0.2)],
  ] as const)
    it(`invents nothing in ${name}`, async () => {
      expect(await transcribe(samples)).to.deep.equal([{ language: 'en', duration: 3 }])
    })

  it('tells speakers apart with the files that it has', async () => {
    const silence = new Float32Array(16_000 * 3)
    expect(await transcribe(silence, { diarization: true })).to.deep.equal([{ language: 'en', duration: 3 }])
  })

  for (const language of ['de', 'xx'])
    it(`refuses the language ${language}, and names it`, async () => {
      const error: unknown = await transcribe(tone(440, 16_000, 1), { language }).catch((reason: unknown) => reason)
      expect(String(error)).to.match(new RegExp(`language: .*"${language}"`))
    })
})

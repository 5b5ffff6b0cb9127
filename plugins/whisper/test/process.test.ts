import { readdirSync } from 'node:fs'
import { expect } from 'chai'
import { createKernel } from '@sallyport/kernel'
import { transcription } from '@sallyport/core'
import type { Kernel, TranscriptionChunk } from '@sallyport/core'
import { processOf } from '@sallyport/stand-ins/processes'
import { temporaryFolder } from './support/files.js'
import { parrotFiles } from './support/model.js'
import { s16, tone, wav } from './support/sounds.js'

const rate = 16_000

/** Tones of a second with silence between them. */
const tones = (count: number): Float32Array => {
  const samples = new Float32Array(3 * count * rate)
  for (let index = 0; index < count; index += 1) samples.set(tone(440, rate, 1), (3 * index + 1) * rate)
  return samples
}

describe('a model in a process of its own', () => {
  const file = temporaryFolder()
  let kernel: Kernel
  let short: string
  let long: string

  before(async function () {
    this.timeout(60_000)
    short = file(wav(tones(1), s16))
    // of three windows
    long = file(wav(tones(33), s16))
    const files = parrotFiles(file, ['Alpha', 'bravo.', 'Charlie.'])
    kernel = await createKernel(
      {
        plugins: [new URL('../src/index.js', import.meta.url)],
        models: { parrot: { backend: 'whisper', source: 'parrot', options: { threads: 1 } } },
      },
      { fileSource: { resolve: () => Promise.resolve({ files }) } },
    )
  })
  after(async () => (kernel as Kernel | undefined)?.stop())

  const transcribe = async (path: string): Promise<TranscriptionChunk[]> => {
    const chunks: TranscriptionChunk[] = []
    for await (const chunk of kernel.get(transcription, 'parrot').stream({ file: path })) chunks.push(chunk)
    return chunks
  }
  const textOf = (chunks: readonly TranscriptionChunk[]) =>
    chunks.map((chunk) => ('segment' in chunk ? chunk.segment.text : '')).join('')

  it('writes down what is said in each window', async function () {
    this.timeout(60_000)
    expect(textOf(await transcribe(short))).to.equal(' Alpha bravo. Charlie.')
    const chunks = await transcribe(long)
    expect(textOf(chunks)).to.equal(' Alpha bravo. Charlie.'.repeat(3))
    expect(chunks.at(-1)).to.deep.equal({ language: 'en', duration: 99 })
  })

  it('serves others after a request that was given up', async function () {
    this.timeout(60_000)
    const controller = new AbortController()
    const request = kernel.get(transcription, 'parrot').stream({ file: long }, { signal: controller.signal })
    const heard: TranscriptionChunk[] = []
    const given = (async () => {
      for await (const chunk of request) {
        heard.push(chunk)
        controller.abort(new Error('enough'))
      }
    })()
    expect(String(await given.catch((error: unknown) => error))).to.equal('Error: enough')
    expect(textOf(heard).length).to.be.below(' Alpha bravo. Charlie.'.length * 3)
    expect(textOf(await transcribe(short))).to.equal(' Alpha bravo. Charlie.')
  })

  it('answers each of several at once as it would alone', async function () {
    this.timeout(60_000)
    const answers = await Promise.all([transcribe(long), transcribe(short), transcribe(short)])
    expect(answers.map(textOf)).to.deep.equal([3, 1, 1].map((times) => ' Alpha bravo. Charlie.'.repeat(times)))
  })

  it('says what it needs to tell speakers apart', async () => {
    const pieces = kernel
      .get(transcription, 'parrot')
      .stream({ file: short, diarization: true })
      [Symbol.asyncIterator]()
    const error: unknown = await pieces.next().catch((reason: unknown) => reason)
    expect(String(error)).to.match(/diarization: this model has no file for diarization: .*"speakers"/)
  })

  it('leaves no file open, whatever it was given', async function () {
    this.timeout(60_000)
    const open = () => readdirSync(`/proc/${processOf('parrot')}/fd`).length
    await transcribe(short)
    const before = open()
    const bad = [
      Buffer.alloc(0),
      Buffer.from('no audio'),
      wav(new Float32Array(), s16),
      wav(tones(1), s16).subarray(0, 30),
    ]
    for (const bytes of [...bad, ...bad]) await transcribe(file(bytes)).catch(() => undefined)
    await transcribe(short)
    expect(open()).to.equal(before)
  })
})

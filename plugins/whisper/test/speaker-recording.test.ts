import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { ModelStore } from '@sallyport/store'
import { StepScheduler } from '../src/step-scheduler.js'
import { Diarizer } from '../src/speakers/diarizer.js'
import { Ge2eEmbedder } from '../src/speakers/ge2e-embedder.js'
import { SlidingVoices } from '../src/speakers/sliding-voices.js'
import { concatenate } from '../src/samples.js'
import type { Turn } from '../src/speakers/turns.js'
import { SileroVad } from '../src/speech/silero.js'
import { decoded } from './support/decoded.js'
import { inBlocks } from './support/sounds.js'

const rate = 16_000

interface Truth {
  readonly start: number
  readonly end: number
  readonly name: string
}

/** Lines `SPEAKER file channel start length <NA> <NA> name <NA> <NA>`. */
const readRttm = (text: string): Truth[] =>
  text
    .split('\n')
    .filter((line) => line.startsWith('SPEAKER'))
    .map((line) => line.split(' '))
    .map((fields) => ({
      start: Number(fields[3]),
      end: Number(fields[3]) + Number(fields[4]),
      name: fields[7] ?? '',
    }))

describe('speakers of a recording, with GE2E and Silero', () => {
  let voices: SileroVad
  let embedder: Ge2eEmbedder
  let samples: Float32Array
  let truth: Truth[]

  before(async function () {
    // the files may have to be fetched
    this.timeout(300_000)
    const catalogue = fileURLToPath(new URL('../../test/fixtures/recordings.yaml', import.meta.url))
    const store = new ModelStore({ catalogues: [catalogue] })
    const { signal } = new AbortController()
    const file = async (model: string, role = 'model') =>
      (await store.resolve(model, { signal })).files[role] ?? expect.fail(`${model} has no ${role}`)
    voices = await SileroVad.load('m', await file('silero-vad'))
    embedder = await Ge2eEmbedder.load('m', await file('ge2e'))
    samples = await decoded(await file('telephone-call'))
    truth = readRttm(readFileSync(await file('telephone-call', 'turns'), 'utf8'))
  })
  after(async () => {
    await (voices as SileroVad | undefined)?.release()
    await (embedder as Ge2eEmbedder | undefined)?.release()
  })

  const turnsOf = (sound: Float32Array, signal = new AbortController().signal): Promise<Turn[]> =>
    new Diarizer(new SlidingVoices(voices, embedder)).turns(
      inBlocks(sound, 16_384),
      new StepScheduler().runnerFor('search', { signal, tenant: 'a' }),
    )
  const speakersOf = (turns: readonly Turn[]) => [...new Set(turns.map(({ speaker }) => speaker))]

  /** What one of them says alone, for as long as it lasts. */
  const saidBy = (name: string): Float32Array[] =>
    truth
      .filter((turn) => turn.name === name && turn.end - turn.start > 1.5)
      .map(({ start, end }) => samples.subarray(start * rate, end * rate))

  /** Of the moments in which one person alone speaks, the share with the label that this person mostly has. */
  const agreement = (turns: readonly Turn[], known: readonly Truth[]): number => {
    const moments = Array.from({ length: 3000 }, (_, index) => index / 100).flatMap((time) => {
      const [one, ...others] = known.filter(({ start, end }) => start <= time && time < end)
      const heard = turns.find(({ start, end }) => start <= time && time < end)
      return one && !others.length ? [`${one.name} ${heard?.speaker}`] : []
    })
    const counts = new Map<string, number>()
    for (const moment of moments) counts.set(moment, (counts.get(moment) ?? 0) + 1)
    const [first, second] = [...new Set(known.map(({ name }) => name))]
    const right = (one: number, other: number) =>
      (counts.get(`${first} ${one}`) ?? 0) + (counts.get(`${second} ${other}`) ?? 0)
    return Math.max(right(0, 1), right(1, 0)) / moments.length
  }

  it('are two in a call of two, and are told apart', async () => {
    const turns = await turnsOf(samples)
    expect(speakersOf(turns)).to.deep.equal([0, 1])
    expect(agreement(turns, truth)).to.be.above(0.9)
  })

  it('are told apart when one is half as loud', async () => {
    const quiet = samples.slice()
    for (const { start, end, name } of truth)
      if (name === 'speaker90')
        quiet.subarray(start * rate, end * rate).forEach((value, at, part) => (part[at] = value / 2))
    const turns = await turnsOf(quiet)
    expect(speakersOf(turns)).to.deep.equal([0, 1])
    expect(agreement(turns, truth)).to.be.above(0.85)
  })

  it('is one where one speaks', async () => {
    for (const name of ['speaker90', 'speaker91'])
      expect(speakersOf(await turnsOf(concatenate(saidBy(name)))), name).to.deep.equal([0])
  })

  it('are two where voices alternate that differ clearly', async () => {
    // every third sample of four is played at the rate of four: a voice that is a third higher
    const higher = (part: Float32Array) =>
      Float32Array.from(
        { length: Math.floor((part.length * 3) / 4) },
        (_, index) => part[Math.round((index * 4) / 3)] ?? 0,
      )
    const [one = new Float32Array(), two = one, three = one] = saidBy('speaker91')
    const parts = [one, higher(two), three, higher(one), two, higher(three)]
    let at = 0
    const known = parts.map((part, index) => ({
      start: at / rate,
      end: (at += part.length) / rate,
      name: index % 2 ? 'higher' : 'as it is',
    }))
    const turns = await turnsOf(concatenate(parts))
    expect(speakersOf(turns)).to.deep.equal([0, 1])
    expect(agreement(turns, known)).to.be.above(0.85)
  })

  it('are none in silence', async () => {
    expect(await turnsOf(new Float32Array(5 * rate))).to.deep.equal([])
  })

  it('are not looked for any more after an abort', async () => {
    const controller = new AbortController()
    const given = turnsOf(samples, controller.signal).catch((error: unknown) => error)
    controller.abort(new Error('enough'))
    expect(String(await given)).to.equal('Error: enough')
  })
})

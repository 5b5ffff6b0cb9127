import { setImmediate as turn } from 'node:timers/promises'
import { expect } from 'chai'
import { StepScheduler } from '../src/step-scheduler.js'
import type { RunStep } from '../src/step-scheduler.js'
import { sampleRate as rate } from '../src/samples.js'
import { Diarizer } from '../src/speakers/diarizer.js'
import { SlidingVoices } from '../src/speakers/sliding-voices.js'
import { PyannoteSegmentation } from '../src/speakers/pyannote-segmentation.js'
import { SegmentedVoices } from '../src/speakers/segmented-voices.js'
import type { SpeakerEmbedder } from '../src/speakers/speaker-embedder.js'
import { speechRegions } from '../src/speech/speech-regions.js'
import type { VadModel } from '../src/speech/vad.js'
import { temporaryFolder } from './support/files.js'
import { loudnessSegmentation } from './support/speaker-models.js'

/** Milliseconds of evaluations. */
const cost = { frame: 0.2, embedding: 8, encoder: 300, token: 6 }

/** The clock stands still but while a network evaluates: what takes how long does not depend on the machine. */
class Clock {
  private now = 1000

  readonly read = () => this.now

  /** As onnxruntime does it: in a turn of its own, which it holds. */
  async evaluate(milliseconds: number): Promise<void> {
    await turn()
    this.now += milliseconds
  }
}

/** The milliseconds that a tenant's evaluations have taken. */
class Tenant {
  used = 0
  private readonly gone = new AbortController()

  constructor(
    private readonly scheduler: StepScheduler,
    private readonly clock: Clock,
    private name: string,
  ) {}

  readonly search = (): RunStep => this.scheduler.runnerFor('search', this.asking)
  readonly window = (): RunStep => this.scheduler.runnerFor('window', this.asking)

  /** Goes on under another name, and counts for itself. */
  as(name: string): this {
    this.name = name
    return this
  }

  private get asking() {
    return { signal: this.gone.signal, tenant: this.name }
  }

  async evaluate(milliseconds: number): Promise<void> {
    await this.clock.evaluate(milliseconds)
    this.used += milliseconds
  }

  leave(): void {
    this.gone.abort(new Error('enough'))
  }

  /** Frames that all have a voice. */
  get voices(): VadModel {
    return {
      start: () => ({ voiceProbability: () => this.evaluate(cost.frame).then(() => 1) }),
      release: () => Promise.resolve(),
    }
  }

  get embedder(): SpeakerEmbedder {
    return {
      options: { window: 1.6 * rate, hop: 0.25 * rate, sameSpeakerThreshold: { second: 0.75, further: 0.75 } },
      embed: async (parts) => {
        await this.evaluate(parts.length * cost.embedding)
        return parts.map(() => Float32Array.of(1, 0))
      },
      release: () => Promise.resolve(),
    }
  }
}

async function* sound(seconds: number, loudness = 0.1): AsyncGenerator<Float32Array> {
  for (let second = 0; second < seconds; second += 1) yield await Promise.resolve(new Float32Array(rate).fill(loudness))
}

const allOf = async (source: AsyncIterable<unknown>) => {
  const iterator = source[Symbol.asyncIterator]()
  while (!(await iterator.next()).done);
}

const endless = Infinity

describe('steps of recordings', () => {
  const file = temporaryFolder()
  let segmentation: PyannoteSegmentation
  before(async () => {
    segmentation = await PyannoteSegmentation.load('m', file(loudnessSegmentation(), 'segmentation.onnx'), 1)
  })
  after(() => segmentation.release())

  let clock: Clock
  let a: Tenant
  let b: Tenant
  beforeEach(() => {
    const scheduler = new StepScheduler()
    clock = new Clock()
    performance.now = clock.read
    a = new Tenant(scheduler, clock, 'a')
    b = new Tenant(scheduler, clock, 'b')
  })
  afterEach(() => Reflect.deleteProperty(performance, 'now'))

  const searched = (tenant: Tenant, seconds: number) =>
    allOf(speechRegions(sound(seconds), tenant.voices.start(), tenant.search()))
  const sliding = (tenant: Tenant, seconds: number) =>
    new Diarizer(new SlidingVoices(tenant.voices, tenant.embedder)).turns(sound(seconds), tenant.search())
  const segmented = (tenant: Tenant, seconds: number) =>
    new Diarizer(new SegmentedVoices(segmentation, tenant.embedder)).turns(sound(seconds), tenant.search())
  const written = async (tenant: Tenant, windows: number) => {
    const runStep = tenant.window()
    for (let window = 0; window < windows; window += 1) {
      await runStep(() => tenant.evaluate(cost.encoder))
      for (let token = 0; token < 50; token += 1) await runStep(() => tenant.evaluate(cost.token))
    }
  }

  /**
   * Milliseconds that the other tenant's evaluations take while the work is done, which that one began to wait for
   * first.
   */
  const usedBeside = async (
    greedy: () => Promise<unknown>,
    work: () => Promise<unknown>,
    many = 40,
  ): Promise<number> => {
    const all = Promise.allSettled(Array.from({ length: many }, greedy))
    while (a.used < 2000) await turn()
    const before = a.used
    await work()
    const used = a.used - before
    a.leave()
    await all
    return used
  }

  const recordings = [
    { name: 'a search for speech', work: searched, step: 32 * cost.frame },
    { name: 'speakers by sliding windows', work: sliding, step: 4 * cost.embedding },
    { name: 'speakers by a segmentation', work: segmented, step: cost.embedding },
    { name: 'a window of speech', work: (tenant: Tenant) => written(tenant, 1), step: cost.encoder },
  ]
  for (const greedy of recordings.slice(0, 3))
    for (const modest of recordings)
      it(`${modest.name} of one tenant gets half of the time beside forty times ${greedy.name} of another`, async () => {
        const used = await usedBeside(
          () => greedy.work(a, endless),
          () => modest.work(b, 30),
        )
        // what has begun ends first
        expect(used).to.be.at.most(b.used + 2 * greedy.step)
      })

  it('of a window take half of the time beside forty searches of the same tenant: others wait for the window', async () => {
    const used = await usedBeside(
      () => searched(a, endless),
      () => written(b.as('a'), 1),
    )
    expect(used).to.be.at.most(b.used + 2 * 32 * cost.frame)
  })

  it('are not run once they are given up, and leave their turn to others', async () => {
    const others = searched(b, 10)
    const given = searched(a, endless).catch((error: unknown) => error)
    a.leave()
    await others
    expect(String(await given)).to.equal('Error: enough')
    expect(a.used).to.equal(0)
  })
})

import { setImmediate as turn } from 'node:timers/promises'
import { expect } from 'chai'
import { StepGate } from '../src/step-gate.js'
import type { Step } from '../src/step-gate.js'
import { sampleRate as rate } from '../src/samples.js'
import { Diarizer } from '../src/speakers/diarizer.js'
import { SlidingVoices } from '../src/speakers/sliding-voices.js'
import { PyannoteSegmentation } from '../src/speakers/pyannote-segmentation.js'
import { SegmentedVoices } from '../src/speakers/segmented-voices.js'
import type { VoiceVectors } from '../src/speakers/voice-vectors.js'
import { speechStretches } from '../src/speech/stretches.js'
import type { VadModel } from '../src/speech/vad.js'
import { temporaryFolder } from './support/files.js'
import { loudnessSegmentation } from './support/speaker-models.js'

/** Milliseconds of evaluations. */
const cost = { frame: 0.2, vector: 8, encoder: 300, token: 6 }

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
    private readonly gate: StepGate,
    private readonly clock: Clock,
    private name: string,
  ) {}

  readonly search = (): Step => this.gate.of('search', this.asking)
  readonly window = (): Step => this.gate.of('window', this.asking)

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

  get vectors(): VoiceVectors {
    return {
      rules: { window: 1.6 * rate, hop: 0.25 * rate, sameVoice: { second: 0.75, further: 0.75 } },
      vectorsOf: async (parts) => {
        await this.evaluate(parts.length * cost.vector)
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
    const gate = new StepGate()
    clock = new Clock()
    performance.now = clock.read
    a = new Tenant(gate, clock, 'a')
    b = new Tenant(gate, clock, 'b')
  })
  afterEach(() => Reflect.deleteProperty(performance, 'now'))

  const searched = (tenant: Tenant, seconds: number) =>
    allOf(speechStretches(sound(seconds), tenant.voices.start(), tenant.search()))
  const sliding = (tenant: Tenant, seconds: number) =>
    new Diarizer(new SlidingVoices(tenant.voices, tenant.vectors)).turns(sound(seconds), tenant.search())
  const segmented = (tenant: Tenant, seconds: number) =>
    new Diarizer(new SegmentedVoices(segmentation, tenant.vectors)).turns(sound(seconds), tenant.search())
  const written = async (tenant: Tenant, windows: number) => {
    const step = tenant.window()
    for (let window = 0; window < windows; window += 1) {
      await step(() => tenant.evaluate(cost.encoder))
      for (let token = 0; token < 50; token += 1) await step(() => tenant.evaluate(cost.token))
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
    { name: 'speakers by sliding windows', work: sliding, step: 4 * cost.vector },
    { name: 'speakers by a segmentation', work: segmented, step: cost.vector },
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

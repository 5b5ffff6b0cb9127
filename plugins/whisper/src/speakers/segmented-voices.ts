import { maxOf } from '@sallyport/kit/lists'
import { concatenate, sampleRate, windowed } from '../samples.js'
import type { RunStep } from '../step-scheduler.js'
import { classes, windowLength } from './pyannote-segmentation.js'
import type { PyannoteSegmentation } from './pyannote-segmentation.js'
import { smoothLabels } from './smooth-labels.js'
import type { Turn } from './turns.js'
import { dot } from './speaker-embedder.js'
import type { ClusteringOptions, SpeakerEmbedder, SpeakerEmbeddings } from './speaker-embedder.js'
import type { VoiceAnalyser, VoiceAnalysis } from './speaker-embedder.js'

/** A window of the segmentation, with its voices. */
interface SegmentedWindow {
  /** Samples from the beginning of the recording. */
  readonly start: number
  readonly voices: readonly WindowVoice[]
}

interface WindowVoice {
  /** Seconds in which this voice speaks alone. */
  readonly soloSeconds: number
  readonly embedding: Float32Array
  /** 1 for each frame of the window in which the voice speaks. */
  readonly active: Uint8Array
}

/** Windows overlap by half. */
const windowHop = windowLength / 2
/** The minimum of samples in which a voice speaks alone; a voice with fewer has no embedding. */
const minSoloSamples = 0.4 * sampleRate
/** Seconds of a voice that count as one embedding, because windows overlap. */
const secondsPerEmbedding = 3
/** A turn, and a pause of a speaker, takes at least this many seconds; one of less than half of it is nothing. */
const minTurnSeconds = 0.25

/**
 * Separates the voices within each window by a segmentation model, and matches them across windows by speaker
 * embeddings, after pyannote.audio (H. Bredin, "pyannote.audio 2.1 speaker diarization pipeline", 2023). Several people
 * may speak at the same time.
 */
export class SegmentedVoices implements VoiceAnalyser {
  constructor(
    private readonly segmentation: PyannoteSegmentation,
    private readonly embedder: SpeakerEmbedder,
  ) {}

  get options(): ClusteringOptions {
    return this.embedder.options
  }

  async analyse(samples: AsyncIterable<Float32Array>, runStep: RunStep): Promise<VoiceAnalysis> {
    const windows: SegmentedWindow[] = []
    for await (const window of windowed(samples, windowLength, windowHop))
      windows.push({ start: windows.length * windowHop, voices: await this.voicesIn(window, runStep) })
    return {
      embeddings: windows.flatMap(({ voices }) => voices.map(({ embedding }) => embedding)),
      speakerEmbeddings: (centroids) => speakerEmbeddingsOf(windows, centroids),
      turns: (centroids) => voteTurns(windows, centroids.length, ({ voices }) => assignSpeakers(voices, centroids)),
    }
  }

  async release(): Promise<void> {
    await this.segmentation.release()
    await this.embedder.release()
  }

  private async voicesIn(samples: Float32Array, runStep: RunStep): Promise<WindowVoice[]> {
    const frames = await runStep(() => this.segmentation.classesOf(samples))
    const voices: WindowVoice[] = []
    for (const speaker of [0, 1, 2]) {
      const alone = samplesOfClass(samples, frames, speaker + 1)
      if (alone.length < minSoloSamples) continue
      const [embedding] = await runStep(() => this.embedder.embed([alone]))
      const active = Uint8Array.from(frames, (classIndex) => (classes[classIndex]?.includes(speaker) ? 1 : 0))
      if (embedding) voices.push({ soloSeconds: alone.length / sampleRate, embedding, active })
    }
    return voices
  }
}

/** The samples of the frames of one class. */
const samplesOfClass = (samples: Float32Array, frames: readonly number[], classIndex: number): Float32Array => {
  const length = samples.length / frames.length
  const parts = frames.map((_, at) => samples.subarray(Math.round(at * length), Math.round((at + 1) * length)))
  return concatenate(parts.filter((_, at) => frames[at] === classIndex))
}

const speakerEmbeddingsOf = (
  windows: readonly SegmentedWindow[],
  centroids: readonly Float32Array[],
): SpeakerEmbeddings[] => {
  const speakers = centroids.map(() => ({ embeddings: [] as Float32Array[], effectiveCount: 0 }))
  for (const { voices } of windows)
    assignSpeakers(voices, centroids).forEach((speaker, index) => {
      const [own, voice] = [speakers[speaker], voices[index]]
      if (!own || !voice) return
      own.embeddings.push(voice.embedding)
      own.effectiveCount += voice.soloSeconds / secondsPerEmbedding
    })
  return speakers
}

/**
 * The speaker of each voice of a window: the most similar pairs first, and different speakers for different voices, as
 * long as there are enough speakers.
 */
export const assignSpeakers = (
  voices: readonly { readonly embedding: Float32Array }[],
  centroids: readonly Float32Array[],
): number[] => {
  const pairs = voices.flatMap(({ embedding }, voice) =>
    centroids.map((centroid, speaker) => ({ voice, speaker, similarity: dot(embedding, centroid) })),
  )
  pairs.sort((one, other) => other.similarity - one.similarity)
  const assigned = new Map<number, number>()
  const taken = new Set<number>()
  for (const { voice, speaker } of pairs) {
    if (assigned.has(voice) || taken.has(speaker)) continue
    assigned.set(voice, speaker)
    taken.add(speaker)
  }
  return voices.map((_, voice) => assigned.get(voice) ?? pairs.find((pair) => pair.voice === voice)?.speaker ?? 0)
}

/**
 * Turns by a vote of overlapping windows: in each frame as many speakers as the windows have on average, those with
 * most votes first. Then each speaker's turns and pauses get their minimum duration.
 * @param speakersOf returns the speaker of each voice of a window
 */
export const voteTurns = (
  windows: readonly SegmentedWindow[],
  speakers: number,
  speakersOf: (window: SegmentedWindow) => readonly number[],
): Turn[] => {
  const frames = windows.find(({ voices }) => voices.length)?.voices[0]?.active.length ?? 0
  if (!frames) return []
  const frame = windowLength / frames
  const firsts = windows.map(({ start }) => Math.round(start / frame))
  const moments = maxOf(firsts) + frames
  const windowCounts = new Uint8Array(moments)
  const votes = new Uint8Array(moments * speakers)
  windows.forEach((window, index) => {
    const first = firsts[index] ?? 0
    for (let moment = first; moment < first + frames; moment += 1) count(windowCounts, moment)
    speakersOf(window).forEach((speaker, voice) =>
      window.voices[voice]?.active.forEach((active, at) => {
        if (active) count(votes, (first + at) * speakers + speaker)
      }),
    )
  })
  const elected = Array.from(windowCounts, (windowCount, moment) =>
    electSpeakers(votes.subarray(moment * speakers, (moment + 1) * speakers), windowCount),
  )
  const minRun = Math.max(1, Math.round((minTurnSeconds * sampleRate) / frame))
  const activity = Array.from({ length: speakers }, (_, speaker) =>
    smoothLabels(
      elected.map((some) => (some.includes(speaker) ? speaks : silent)),
      { minRun, changeCost: 0 },
    ),
  )
  return elected.flatMap((_, moment) => {
    const [start, end] = [(moment * frame) / sampleRate, ((moment + 1) * frame) / sampleRate]
    return activity.flatMap((labels, speaker) => (labels[moment] ? [{ start, end, speaker }] : []))
  })
}

/** The scores of being silent, and of speaking. */
const silent = [1, 0]
const speaks = [0, 1]

const count = (counts: Uint8Array, at: number) => {
  counts[at] = (counts[at] ?? 0) + 1
}

const electSpeakers = (votes: Uint8Array, windows: number): number[] => {
  const all = votes.reduce((sum, one) => sum + one, 0)
  return [...votes.entries()]
    .filter(([, one]) => one > 0)
    .sort(([, one], [, other]) => other - one)
    .slice(0, Math.round(all / Math.max(1, windows)))
    .map(([speaker]) => speaker)
}

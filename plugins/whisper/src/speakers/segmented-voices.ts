import { maxOf } from '@sallyport/kit/lists'
import { concatenate, sampleRate, windowed } from '../samples.js'
import type { Step } from '../step-gate.js'
import { classes, windowLength } from './pyannote-segmentation.js'
import type { PyannoteSegmentation } from './pyannote-segmentation.js'
import type { Turn } from './turns.js'
import { dot } from './voice-vectors.js'
import type { Evidence, VoiceAnalysis, VectorRules, VoiceAnalyser, VoiceVectors } from './voice-vectors.js'

/** A window of the segmentation, with its voices. */
interface SegmentedWindow {
  /** Samples from the beginning of the recording. */
  readonly start: number
  readonly voices: readonly WindowVoice[]
}

interface WindowVoice {
  /** Seconds in which this voice speaks alone. */
  readonly soloSeconds: number
  readonly vector: Float32Array
  /** 1 for each frame of the window in which the voice speaks. */
  readonly active: Uint8Array
}

/** Windows overlap by half. */
const windowStep = windowLength / 2
/** With fewer samples in which it speaks alone, a voice has no vector. */
const minSoloSamples = 0.4 * sampleRate
/** Seconds of a voice that count as one independent vector, because windows overlap. */
const independentSeconds = 3

/**
 * Separates the voices within each window by a segmentation model, and matches them across windows by speaker vectors,
 * after pyannote.audio (H. Bredin, "pyannote.audio 2.1 speaker diarization pipeline", 2023). Several people may speak at
 * the same time.
 */
export class SegmentedVoices implements VoiceAnalyser {
  readonly rules: VectorRules

  constructor(
    private readonly segmentation: PyannoteSegmentation,
    private readonly vectors: VoiceVectors,
  ) {
    this.rules = vectors.rules
  }

  async analyse(samples: AsyncIterable<Float32Array>, step: Step): Promise<VoiceAnalysis> {
    const windows: SegmentedWindow[] = []
    for await (const window of windowed(samples, windowLength, windowStep))
      windows.push({ start: windows.length * windowStep, voices: await this.voicesIn(window, step) })
    return {
      vectors: windows.flatMap(({ voices }) => voices.map(({ vector }) => vector)),
      evidence: (centroids) => evidenceOf(windows, centroids),
      turns: (centroids) => voteTurns(windows, centroids.length, ({ voices }) => assignSpeakers(voices, centroids)),
    }
  }

  async release(): Promise<void> {
    await this.segmentation.release()
    await this.vectors.release()
  }

  private async voicesIn(samples: Float32Array, step: Step): Promise<WindowVoice[]> {
    const frames = await step(() => this.segmentation.classesOf(samples))
    const voices: WindowVoice[] = []
    for (const [speaker] of classes.slice(1, 4).entries()) {
      const alone = samplesOfClass(samples, frames, speaker + 1)
      if (alone.length < minSoloSamples) continue
      const [vector] = await step(() => this.vectors.vectorsOf([alone]))
      const active = Uint8Array.from(frames, (of) => (classes[of]?.includes(speaker) ? 1 : 0))
      if (vector) voices.push({ soloSeconds: alone.length / sampleRate, vector, active })
    }
    return voices
  }
}

/** The samples of the frames of one class. */
const samplesOfClass = (samples: Float32Array, frames: readonly number[], wanted: number): Float32Array => {
  const length = samples.length / frames.length
  return concatenate(
    frames.flatMap((of, index) =>
      of === wanted ? [samples.subarray(Math.round(index * length), Math.round((index + 1) * length))] : [],
    ),
  )
}

const evidenceOf = (windows: readonly SegmentedWindow[], centroids: readonly Float32Array[]): Evidence[] => {
  const evidence = centroids.map(() => ({ vectors: [] as Float32Array[], independent: 0 }))
  for (const { voices } of windows)
    assignSpeakers(voices, centroids).forEach((speaker, index) => {
      const [own, voice] = [evidence[speaker], voices[index]]
      if (!own || !voice) return
      own.vectors.push(voice.vector)
      own.independent += voice.soloSeconds / independentSeconds
    })
  return evidence
}

/**
 * The speaker of each voice of a window: best pairs first, and different speakers for different voices, as long as there
 * are enough speakers.
 */
export const assignSpeakers = (
  voices: readonly { readonly vector: Float32Array }[],
  centroids: readonly Float32Array[],
): number[] => {
  const pairs = voices.flatMap(({ vector }, voice) =>
    centroids.map((centroid, speaker) => ({ voice, speaker, fit: dot(vector, centroid) })),
  )
  pairs.sort((one, other) => other.fit - one.fit)
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
 * Turns by majority of overlapping windows: at each moment as many speakers as the windows have on average, those with
 * most votes first.
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
  const hearing = new Uint8Array(moments)
  const votes = new Uint8Array(moments * speakers)
  windows.forEach((window, index) => {
    const first = firsts[index] ?? 0
    for (let moment = first; moment < first + frames; moment += 1) count(hearing, moment)
    speakersOf(window).forEach((speaker, voice) =>
      window.voices[voice]?.active.forEach((active, at) => {
        if (active) count(votes, (first + at) * speakers + speaker)
      }),
    )
  })
  return Array.from(hearing, (windowsThere, moment) =>
    electSpeakers(votes.subarray(moment * speakers, (moment + 1) * speakers), windowsThere).map((speaker) => ({
      start: (moment * frame) / sampleRate,
      end: ((moment + 1) * frame) / sampleRate,
      speaker,
    })),
  ).flat()
}

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

import { maxOf } from '@sallyport/kit/lists'
import { joined, sampleRate, windowed } from '../samples.js'
import type { Step } from '../step-gate.js'
import { classes, windowLength } from './pyannote-segmentation.js'
import type { PyannoteSegmentation } from './pyannote-segmentation.js'
import type { Turn } from './turns.js'
import { dot } from './voice-vectors.js'
import type { Evidence, HeardVoices, VectorRules, VoiceSource, VoiceVectors } from './voice-vectors.js'

/** What is kept of a window of the segmentation. */
interface HeardWindow {
  /** Samples from the beginning of the recording. */
  readonly start: number
  readonly voices: readonly HeardVoice[]
}

interface HeardVoice {
  /** Seconds of the window in which nobody else is heard. */
  readonly alone: number
  readonly vector: Float32Array
  /** 1 for each frame of the window in which the voice is heard. */
  readonly heard: Uint8Array
}

/** Samples from one window to the next: half of a window. */
const windowStep = windowLength / 2
/** Samples that somebody speaks alone, below which nothing is known of the voice. */
const least = 0.4 * sampleRate
/** Seconds of a voice that say as much as one vector: half of what a window hears is heard by the next one, too. */
const independentSeconds = 3

/**
 * Voices by a model that tells the few of ten seconds apart, and vectors that tell who of one window is who of the others,
 * after pyannote.audio (H. Bredin, "pyannote.audio 2.1 speaker diarization pipeline", 2023). Several may speak at the same
 * time.
 */
export class SegmentedVoices implements VoiceSource {
  readonly rules: VectorRules

  constructor(
    private readonly segmentation: PyannoteSegmentation,
    private readonly vectors: VoiceVectors,
  ) {
    this.rules = vectors.rules
  }

  async hear(samples: AsyncIterable<Float32Array>, step: Step): Promise<HeardVoices> {
    const windows: HeardWindow[] = []
    for await (const window of windowed(samples, windowLength, windowStep))
      windows.push({ start: windows.length * windowStep, voices: await this.voicesIn(window, step) })
    return {
      vectors: windows.flatMap(({ voices }) => voices.map(({ vector }) => vector)),
      evidence: (centroids) => evidenceOf(windows, centroids),
      turns: (centroids) => votedTurns(windows, centroids.length, ({ voices }) => assignedSpeakers(voices, centroids)),
    }
  }

  async release(): Promise<void> {
    await this.segmentation.release()
    await this.vectors.release()
  }

  private async voicesIn(samples: Float32Array, step: Step): Promise<HeardVoice[]> {
    const frames = await step(() => this.segmentation.classesOf(samples))
    const voices: HeardVoice[] = []
    for (const [speaker] of classes.slice(1, 4).entries()) {
      const alone = only(samples, frames, speaker + 1)
      if (alone.length < least) continue
      const [vector] = await step(() => this.vectors.vectorsOf([alone]))
      const heard = Uint8Array.from(frames, (of) => (classes[of]?.includes(speaker) ? 1 : 0))
      if (vector) voices.push({ alone: alone.length / sampleRate, vector, heard })
    }
    return voices
  }
}

/** The samples of the frames of one class. */
const only = (samples: Float32Array, frames: readonly number[], wanted: number): Float32Array => {
  const length = samples.length / frames.length
  return joined(
    frames.flatMap((of, index) =>
      of === wanted ? [samples.subarray(Math.round(index * length), Math.round((index + 1) * length))] : [],
    ),
  )
}

const evidenceOf = (windows: readonly HeardWindow[], centroids: readonly Float32Array[]): Evidence[] => {
  const evidence = centroids.map(() => ({ vectors: [] as Float32Array[], independent: 0 }))
  for (const { voices } of windows)
    assignedSpeakers(voices, centroids).forEach((speaker, index) => {
      const [own, voice] = [evidence[speaker], voices[index]]
      if (!own || !voice) return
      own.vectors.push(voice.vector)
      own.independent += voice.alone / independentSeconds
    })
  return evidence
}

/**
 * The speaker of each voice of a window: the best pairs first, and no speaker for two voices, as long as there are
 * enough of them.
 */
export const assignedSpeakers = (
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
 * Turns by what the windows say that hear the same moment: as many speakers as they hear on average, those first that
 * most of them hear.
 * @param speakersOf the speaker of each voice of a window
 */
export const votedTurns = (
  windows: readonly HeardWindow[],
  speakers: number,
  speakersOf: (window: HeardWindow) => readonly number[],
): Turn[] => {
  const frames = windows.find(({ voices }) => voices.length)?.voices[0]?.heard.length ?? 0
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
      window.voices[voice]?.heard.forEach((heard, at) => {
        if (heard) count(votes, (first + at) * speakers + speaker)
      }),
    )
  })
  return Array.from(hearing, (windowsThere, moment) =>
    elected(votes.subarray(moment * speakers, (moment + 1) * speakers), windowsThere).map((speaker) => ({
      start: (moment * frame) / sampleRate,
      end: ((moment + 1) * frame) / sampleRate,
      speaker,
    })),
  ).flat()
}

const count = (counts: Uint8Array, at: number) => {
  counts[at] = (counts[at] ?? 0) + 1
}

const elected = (votes: Uint8Array, windows: number): number[] => {
  const all = votes.reduce((sum, one) => sum + one, 0)
  return [...votes.entries()]
    .filter(([, one]) => one > 0)
    .sort(([, one], [, other]) => other - one)
    .slice(0, Math.round(all / Math.max(1, windows)))
    .map(([speaker]) => speaker)
}

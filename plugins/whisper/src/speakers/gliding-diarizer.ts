import type { Step } from '../model/step-gate.js'
import { speechStretches } from '../speech/stretches.js'
import type { VoiceModel } from '../speech/voice.js'
import { findSpeakers } from './count-speakers.js'
import type { Evidence } from './count-speakers.js'
import type { Diarizer } from './diarizer.js'
import { glidingWindows } from './gliding-windows.js'
import type { SpokenStretch } from './gliding-windows.js'
import { dot } from './similarity.js'
import { orderedTurns } from './turns.js'
import type { Turn } from './turns.js'
import { smoothLabels } from './viterbi.js'
import { rate } from './voice-vectors.js'
import type { VoiceVectors } from './voice-vectors.js'

/** Seconds that a turn lasts at least within a stretch of speech. */
const shortest = 0.75
/** What another speaker must fit better for the turn to go over: a cosine, times the seconds for which it lasts. */
const change = 0.05

/**
 * Speakers by vectors of windows that glide over what the voice activity takes for speech: groups of vectors, and a
 * hidden Markov model with minimum durations that shares out the windows among them. One speaks at a time.
 */
export class GlidingDiarizer implements Diarizer {
  constructor(
    private readonly voices: VoiceModel,
    private readonly vectors: VoiceVectors,
  ) {}

  async turns(samples: AsyncIterable<Float32Array>, step: Step): Promise<Turn[]> {
    const { rules } = this.vectors
    const stretches: SpokenStretch[] = []
    for await (const stretch of speechStretches(samples, this.voices.start(), step))
      stretches.push(await glidingWindows(stretch, this.vectors, step))
    const labelsOf = (middles: readonly Float32Array[]) =>
      stretches.map((stretch) => labels(stretch, middles, rules.hop))
    const shareOut = (middles: readonly Float32Array[]) =>
      evidenceOf(stretches, labelsOf(middles), rules, middles.length)
    const all = stretches.flatMap(({ windows }) => windows.map(({ vector }) => vector))
    const speakers = await findSpeakers(all, shareOut, rules, step)
    return step(() => orderedTurns(labelsOf(speakers).flatMap((of, index) => turnsOf(stretches[index], of))))
  }

  release(): Promise<void> {
    return this.vectors.release()
  }
}

const labels = ({ windows }: SpokenStretch, middles: readonly Float32Array[], hop: number): number[] =>
  smoothLabels(
    windows.map(({ vector }) => middles.map((middle) => dot(vector, middle))),
    { change: (change * rate) / hop, least: Math.round((shortest * rate) / hop) },
  )

/** Only windows tell that lie within a turn: others hear two voices. */
const evidenceOf = (
  stretches: readonly SpokenStretch[],
  labelled: readonly (readonly number[])[],
  { window, hop }: { readonly window: number; readonly hop: number },
  speakers: number,
): Evidence[] => {
  const margin = Math.floor(window / hop / 3)
  const evidence = Array.from({ length: speakers }, () => ({ vectors: [] as Float32Array[], independent: 0 }))
  stretches.forEach(({ windows }, at) => {
    const of = labelled[at] ?? []
    windows.forEach(({ vector }, index) => {
      const own = evidence[of[index] ?? 0]
      const around = of.slice(Math.max(0, index - margin), index + margin + 1)
      if (!own || around.some((label) => label !== of[index])) return
      own.independent += own.vectors.at(-1) === windows[index - 1]?.vector ? hop / window : 1
      own.vectors.push(vector)
    })
  })
  return evidence
}

/** A window speaks for the time that is nearer to its middle than to that of others. */
const turnsOf = (stretch: SpokenStretch | undefined, of: readonly number[]): Turn[] => {
  const { windows, start, end } = stretch ?? { windows: [], start: 0, end: 0 }
  return windows.map(({ middle }, index): Turn => {
    const [before, after] = [windows[index - 1]?.middle, windows[index + 1]?.middle]
    return {
      start: before === undefined ? start : (before + middle) / 2,
      end: after === undefined ? end : (middle + after) / 2,
      speaker: of[index] ?? 0,
    }
  })
}

import type { Step } from '../model/step-gate.js'
import { assignedSpeakers } from './assigned-speakers.js'
import { findSpeakers } from './count-speakers.js'
import type { Evidence } from './count-speakers.js'
import type { Diarizer } from './diarizer.js'
import { heardWindows } from './heard-windows.js'
import type { HeardWindow } from './heard-windows.js'
import type { PyannoteSegmentation } from './pyannote-segmentation.js'
import { orderedTurns } from './turns.js'
import type { Turn } from './turns.js'
import { votedTurns } from './voted-turns.js'
import type { VoiceVectors } from './voice-vectors.js'

/**
 * Speakers by a model that tells the few of ten seconds apart, and vectors that tell who of one window is who of the
 * others, after pyannote.audio (H. Bredin, "pyannote.audio 2.1 speaker diarization pipeline", 2023). Several may speak
 * at the same time.
 */
export class SegmentedDiarizer implements Diarizer {
  constructor(
    private readonly segmentation: PyannoteSegmentation,
    private readonly vectors: VoiceVectors,
  ) {}

  async turns(samples: AsyncIterable<Float32Array>, step: Step): Promise<Turn[]> {
    const heard: HeardWindow[] = []
    for await (const window of heardWindows(samples, this.segmentation, this.vectors, step)) heard.push(window)
    const all = heard.flatMap(({ voices }) => voices.map(({ vector }) => vector))
    const shareOut = (middles: readonly Float32Array[]) => evidenceOf(heard, middles)
    const speakers = await findSpeakers(all, shareOut, this.vectors.rules, step)
    const speakersOf = (window: HeardWindow) => assignedSpeakers(window.voices, speakers)
    return step(() => orderedTurns(votedTurns(heard, speakers.length, speakersOf)))
  }

  async release(): Promise<void> {
    await this.segmentation.release()
    await this.vectors.release()
  }
}

const evidenceOf = (heard: readonly HeardWindow[], middles: readonly Float32Array[]): Evidence[] => {
  const evidence = middles.map(() => ({ vectors: [] as Float32Array[], independent: 0 }))
  for (const { voices } of heard)
    assignedSpeakers(voices, middles).forEach((speaker, index) => {
      const [own, voice] = [evidence[speaker], voices[index]]
      if (!own || !voice) return
      own.vectors.push(voice.vector)
      // half of what a window hears is heard by the next one, too
      own.independent += voice.alone / 2 / 1.5
    })
  return evidence
}

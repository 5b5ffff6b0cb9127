import { maxOf } from '@sallyport/kit/lists'
import { windowLength } from './pyannote-segmentation.js'
import type { HeardWindow } from './heard-windows.js'
import type { Turn } from './turns.js'
import { rate } from './voice-vectors.js'

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
  const firstOf = ({ start }: HeardWindow) => Math.round(start / frame)
  const votes = new Votes(maxOf(windows.map(firstOf)) + frames, speakers)
  for (const window of windows) {
    const first = firstOf(window)
    for (let at = first; at < first + frames; at += 1) votes.hear(at)
    speakersOf(window).forEach((speaker, voice) =>
      window.voices[voice]?.heard.forEach((heard, at) => {
        if (heard) votes.vote(first + at, speaker)
      }),
    )
  }
  return Array.from({ length: votes.moments }, (_, at) => at).flatMap((at) =>
    votes.elected(at).map((speaker) => ({ start: (at * frame) / rate, end: ((at + 1) * frame) / rate, speaker })),
  )
}

class Votes {
  private readonly windows: Uint8Array
  private readonly votes: Uint8Array

  constructor(
    readonly moments: number,
    private readonly speakers: number,
  ) {
    this.windows = new Uint8Array(moments)
    this.votes = new Uint8Array(moments * speakers)
  }

  /** A window hears the moment. */
  hear(moment: number): void {
    this.windows[moment] = (this.windows[moment] ?? 0) + 1
  }

  vote(moment: number, speaker: number): void {
    const at = moment * this.speakers + speaker
    this.votes[at] = (this.votes[at] ?? 0) + 1
  }

  elected(moment: number): number[] {
    const votes = [...this.votes.subarray(moment * this.speakers, (moment + 1) * this.speakers)]
    const all = votes.reduce((sum, count) => sum + count, 0)
    return [...votes.entries()]
      .filter(([, count]) => count > 0)
      .sort(([, one], [, other]) => other - one)
      .slice(0, Math.round(all / (this.windows[moment] ?? 1)))
      .map(([speaker]) => speaker)
  }
}

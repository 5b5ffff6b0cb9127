import type { TranscribedWord } from '@sallyport/core'

/** Somebody speaks; others may at the same time. Seconds from the beginning of the recording. */
export interface Turn {
  readonly start: number
  readonly end: number
  readonly speaker: number
}

/** Sorts turns, numbers speakers as they come, and joins what one says without a break. */
export const orderedTurns = (turns: readonly Turn[]): Turn[] => {
  const numbers = new Map<number, number>()
  const last = new Map<number, Turn>()
  const ordered: Turn[] = []
  for (const turn of [...turns].sort((one, other) => one.start - other.start)) {
    const speaker = numbers.get(turn.speaker) ?? numbers.size
    numbers.set(turn.speaker, speaker)
    const before = last.get(speaker)
    const joined = before && before.end >= turn.start - 1e-6
    const one = joined ? { ...before, end: Math.max(before.end, turn.end) } : { ...turn, speaker }
    if (joined) ordered[ordered.lastIndexOf(before)] = one
    else ordered.push(one)
    last.set(speaker, one)
  }
  return ordered
}

/** Each word with the speaker of the turn that covers most of it, or else of the nearest one. */
export const withSpeakers = (words: readonly TranscribedWord[], turns: readonly Turn[]): TranscribedWord[] =>
  words.map((word) => {
    const turn = turnOf(word, turns)
    return turn ? { ...word, speaker: label(turn.speaker) } : word
  })

const label = (speaker: number) => `SPEAKER_${String(speaker).padStart(2, '0')}`

const turnOf = ({ start, end }: TranscribedWord, turns: readonly Turn[]): Turn | undefined => {
  let best: Turn | undefined
  let most = -Infinity
  for (const turn of turns) {
    // negative: how far the turn is from the word
    const overlap = Math.min(end, turn.end) - Math.max(start, turn.start)
    if (overlap <= most) continue
    most = overlap
    best = turn
  }
  return best
}

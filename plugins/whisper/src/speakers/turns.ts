import type { TranscribedWord } from '@sallyport/core'

/** A turn of a speaker; turns may overlap. Times are seconds from the beginning of the recording. */
export interface Turn {
  readonly start: number
  readonly end: number
  readonly speaker: number
}

/** Sorts turns, numbers speakers in the order of their first turns, and joins adjacent turns of a speaker. */
export const orderedTurns = (turns: readonly Turn[]): Turn[] => {
  const numbers = new Map<number, number>()
  const last = new Map<number, Turn>()
  const ordered: Turn[] = []
  for (const turn of [...turns].sort((one, other) => one.start - other.start)) {
    const speaker = numbers.get(turn.speaker) ?? numbers.size
    numbers.set(turn.speaker, speaker)
    const previous = last.get(speaker)
    const joined = previous && previous.end >= turn.start - 1e-6
    const next = joined ? { ...previous, end: Math.max(previous.end, turn.end) } : { ...turn, speaker }
    if (joined) ordered[ordered.lastIndexOf(previous)] = next
    else ordered.push(next)
    last.set(speaker, next)
  }
  return ordered
}

/** Gives each word the speaker of the turn that overlaps it most, or else of the nearest turn. */
export const withSpeakers = (words: readonly TranscribedWord[], turns: readonly Turn[]): TranscribedWord[] =>
  words.map((word) => {
    const turn = turnOf(word, turns)
    return turn ? { ...word, speaker: label(turn.speaker) } : word
  })

const label = (speaker: number) => `SPEAKER_${String(speaker).padStart(2, '0')}`

const turnOf = ({ start, end }: TranscribedWord, turns: readonly Turn[]): Turn | undefined => {
  let best: Turn | undefined
  let bestOverlap = -Infinity
  for (const turn of turns) {
    // negative where the turn lies apart from the word
    const overlap = Math.min(end, turn.end) - Math.max(start, turn.start)
    if (overlap <= bestOverlap) continue
    bestOverlap = overlap
    best = turn
  }
  return best
}

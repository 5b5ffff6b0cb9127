import type { TranscribedSegment, TranscribedWord } from '@sallyport/core'
import type { Word } from './decode/words.js'

/** Seconds. */
const limits = {
  /** Longer pauses end a segment. */
  pause: 1,
  /** In longer segments, the end of a clause ends the segment. */
  long: 12,
  max: 28,
} as const

const sentenceEnd = /[.!?…。！？۔।]["'”’»)\]]*$/u
const clauseEnd = /[,;:，；、،]["'”’»)\]]*$/u
/** Full stops after these abbreviations do not end a sentence. */
const abbreviation = /(^|[\s(])(\p{Lu}|mr|mrs|ms|dr|prof|st|jr|sr|vs|no|e\.g|i\.e)\.$/iu

/** Maps the times of words to the recording and makes them ascend. Words keep the white space before them. */
export const inRecordingTime = (
  words: readonly Word[],
  toRecording: (start: number, end: number) => { start: number; end: number },
): TranscribedWord[] => {
  let previousStart = 0
  return words.map(({ text, start, end }) => {
    const range = toRecording(start, end)
    const from = rounded(Math.max(previousStart, range.start))
    previousStart = from
    return { text, start: from, end: Math.max(from, rounded(range.end)) }
  })
}

const rounded = (seconds: number) => Math.round(seconds * 100) / 100

/** Groups words into sentences, as far as punctuation shows them; a pause or another speaker ends a segment, too. */
export const segmentsOf = (words: readonly TranscribedWord[], withWords: boolean): TranscribedSegment[] => {
  const groups: TranscribedWord[][] = []
  for (const word of words) {
    const group = groups.at(-1)
    if (!group || endsBefore(group, word)) groups.push([word])
    else group.push(word)
  }
  return groups.map((group) => segmentOf(group, withWords))
}

const endsBefore = (group: readonly TranscribedWord[], next: TranscribedWord): boolean => {
  const [first, last] = [group[0], group.at(-1)]
  if (!first || !last) return false
  const length = next.end - first.start
  if (last.speaker !== next.speaker || next.start - last.end > limits.pause || length > limits.max) return true
  if (length > limits.long && clauseEnd.test(last.text)) return true
  return sentenceEnd.test(last.text) && !abbreviation.test(last.text)
}

const segmentOf = (words: readonly TranscribedWord[], withWords: boolean): TranscribedSegment => {
  const start = words[0]?.start ?? 0
  const end = words.reduce((latest, word) => Math.max(latest, word.end), start)
  const speaker = words[0]?.speaker
  return {
    text: words.map(({ text }) => text).join(''),
    start,
    end,
    ...(speaker === undefined ? {} : { speaker }),
    ...(withWords ? { words: [...words] } : {}),
  }
}

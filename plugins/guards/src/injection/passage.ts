/** Finds the sentences that make a part of a text an attack, so that a policy need not replace what stands around them. */

import { append } from '@sallyport/kit/lists'
import type { Span } from '@sallyport/kit/views'
import { mergeTouching } from '../scoring.js'

/** Logits of texts; a text below 0 is harmless. */
export type LogitsOf = (texts: readonly string[]) => Promise<readonly number[]>

/** Parts of more sentences, which are one batch of the model, or of more UTF-16 code units stay whole: reading takes time. */
const [maxSentences, maxLength] = [32, 4096]
/** The maximum number of rests that are scored; where none of them is harmless, the whole part is the attack. */
const maxRests = 4
/** How far a part is widened to whole sentences, in UTF-16 code units: what has no sentences would widen without end. */
const maxWidening = 400

/** Breaks at line ends, too, and in scripts that write no spaces between sentences. */
const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' })

/**
 * The runs of sentences of a part, as few as can be found by taking away the most suspicious ones, without which the rest
 * of the part is harmless. Where that does not come out, the part itself: too much is replaced rather than too little.
 * @param found spans that are findings already; the sentences that they touch are taken away first
 */
export const passagesIn = async (
  text: string,
  part: Span,
  found: readonly Span[],
  logitsOf: LogitsOf,
): Promise<readonly Span[]> => {
  const sentences = part.end - part.start > maxLength ? [] : sentencesIn(text, part)
  if (sentences.length < 2 || sentences.length > maxSentences) return [part]
  const textOf = ({ start, end }: Span) => text.slice(start, end)
  const logits = await logitsOf(sentences.map(textOf))
  const scored = sentences.map((sentence, at) => ({ ...sentence, logit: logits[at] ?? 0 }))
  const taken = scored.filter((sentence) => found.some((one) => overlap(one, sentence)))
  const suspects = scored.filter((sentence) => !taken.includes(sentence)).toSorted((a, b) => b.logit - a.logit)
  if (taken.length === 0) append(taken, suspects.splice(0, 1))
  for (let rests = 0; rests < maxRests; rests += 1) {
    const rest = scored.filter((sentence) => !taken.includes(sentence)).map(textOf)
    const [logit = 0] = await logitsOf([rest.join('')])
    if (logit < 0) return mergeTouching(taken).map((run) => trimmed(text, run))
    append(taken, suspects.splice(0, 1))
  }
  return [part]
}

/** The sentences and lines that a part overlaps, with the spaces behind them; one that goes on too far ends with the part. */
const sentencesIn = (text: string, part: Span): Span[] => {
  const from = Math.max(0, part.start - maxWidening)
  const to = Math.min(text.length, part.end + maxWidening)
  return Array.from(segmenter.segment(text.slice(from, to)), ({ index, segment }) => {
    const [start, end] = [from + index, from + index + segment.length]
    return {
      start: start === from && from > 0 ? part.start : start,
      end: end === to && to < text.length ? part.end : end,
    }
  }).filter((sentence) => overlap(sentence, part) && text.slice(sentence.start, sentence.end).trim() !== '')
}

const overlap = (one: Span, other: Span): boolean => one.start < other.end && other.start < one.end

const trimmed = (text: string, { start, end }: Span): Span => {
  const run = text.slice(start, end)
  return { start: end - run.trimStart().length, end: start + run.trimEnd().length }
}

import type { Attempt } from './attempt.js'

/** OpenAI's thresholds. */
const thresholds = { logProbability: -1, compressionRatio: 2.4, noSpeech: 0.6 }
const step = 0.2

/**
 * Tries higher temperatures until a text is neither improbable nor repetitive, as OpenAI's program does; where none is
 * good, takes the likeliest of those that do not repeat themselves.
 * @param noSpeech how probable it is that nobody speaks
 * @returns undefined where nobody does
 */
export const bestAttempt = async (
  temperature: number,
  noSpeech: number,
  decode: (temperature: number) => Promise<Attempt>,
): Promise<Attempt | undefined> => {
  const attempts: Attempt[] = []
  for (let at = temperature; at <= Math.max(1, temperature) + 1e-6; at += step) {
    const made = await decode(at)
    const improbable = made.averageLogProbability < thresholds.logProbability
    if (improbable && noSpeech > thresholds.noSpeech) return undefined
    if (!improbable && !isRepetitive(made)) return made
    attempts.push(made)
  }
  return attempts.reduce((best, made) => (isBetter(made, best) ? made : best))
}

const isRepetitive = ({ looped, compressionRatio }: Attempt) => looped || compressionRatio > thresholds.compressionRatio

const isBetter = (one: Attempt, other: Attempt): boolean =>
  isRepetitive(one) === isRepetitive(other)
    ? one.averageLogProbability > other.averageLogProbability
    : !isRepetitive(one)

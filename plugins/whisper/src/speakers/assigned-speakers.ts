import { dot } from './similarity.js'

/**
 * The speaker of each voice of a window: the best pairs first, and no speaker for two voices, as long as there are
 * enough of them.
 */
export const assignedSpeakers = (
  voices: readonly { readonly vector: Float32Array }[],
  speakers: readonly Float32Array[],
): number[] => {
  const pairs = voices.flatMap(({ vector }, voice) =>
    speakers.map((middle, speaker) => ({ voice, speaker, fit: dot(vector, middle) })),
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

/** Figures of transcription. */

/** Who speaks from one second to another. */
export interface Turn {
  readonly start: number
  readonly end: number
  readonly speaker: string
}

/** In lower case and without punctuation. */
export const spokenWords = (text: string): string[] =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}'\s]/gu, ' ')
    .split(/\s+/)
    .filter((word) => word)

/** The least number of words that are put in, left out or replaced. */
export const editDistance = (expected: readonly string[], heard: readonly string[]): number => {
  let row = heard.map((_, index) => index + 1)
  expected.forEach((word, index) => {
    let diagonal = index
    let left = index + 1
    row = heard.map((other, at) => {
      const above = row[at] ?? 0
      left = Math.min(left + 1, above + 1, diagonal + (word === other ? 0 : 1))
      diagonal = above
      return left
    })
  })
  return row.at(-1) ?? expected.length
}

/** Seconds at each change of the truth that do not count, and the step in which time is looked at. */
const collar = 0.25
const step = 0.01

/**
 * The share of spoken time (each voice for itself) that is missed, invented, or said to be another's, under the best
 * assignment of labels.
 */
export const diarizationError = (truth: readonly Turn[], heard: readonly Turn[]): number => {
  const end = Math.max(...[...truth, ...heard].map((turn) => turn.end))
  const edges = truth.flatMap((turn) => [turn.start, turn.end])
  const moments = Array.from({ length: Math.ceil(end / step) }, (_, index) => (index + 0.5) * step)
    .filter((time) => edges.every((edge) => Math.abs(edge - time) > collar))
    .map((time) => ({ truth: at(truth, time), heard: at(heard, time) }))
  const total = moments.reduce((sum, moment) => sum + moment.truth.length, 0)
  const most = moments.reduce((sum, moment) => sum + Math.max(moment.truth.length, moment.heard.length), 0)
  return total ? (most - bestAgreement(moments)) / total : 0
}

const at = (turns: readonly Turn[], time: number): string[] => [
  ...new Set(turns.filter(({ start, end }) => start <= time && time < end).map(({ speaker }) => speaker)),
]

interface Moment {
  readonly truth: readonly string[]
  readonly heard: readonly string[]
}

/** Moments in which both say the same, over all ways to pair the labels. */
const bestAgreement = (moments: readonly Moment[]): number => {
  const known = [...new Set(moments.flatMap(({ truth }) => truth))]
  const labels = [...new Set(moments.flatMap(({ heard }) => heard))]
  const both = (speaker: string, label: string) =>
    moments.filter(({ truth, heard }) => truth.includes(speaker) && heard.includes(label)).length
  const best = (index: number, free: readonly string[]): number => {
    const speaker = known[index]
    if (speaker === undefined) return 0
    const paired = free.map(
      (label) =>
        both(speaker, label) +
        best(
          index + 1,
          free.filter((other) => other !== label),
        ),
    )
    return Math.max(best(index + 1, free), ...paired)
  }
  return best(0, labels)
}

/** Figures of who speaks when. */

/** Who speaks from one second to another. */
export interface Turn {
  readonly start: number
  readonly end: number
  readonly speaker: string
}

/** Shares of the spoken time, each voice for itself. */
export interface DiarizationError {
  /** Nobody is heard, or too few. */
  readonly missed: number
  /** Somebody is heard who does not speak. */
  readonly falseAlarm: number
  /** Somebody else is heard. */
  readonly confusion: number
  /** All three: the diarization error rate. */
  readonly total: number
}

/** Seconds on each side of a change of the truth that do not count, and the step in which time is looked at. */
const collar = 0.25
const step = 0.01

/**
 * The diarization error rate as NIST's md-eval defines it, with a collar of 0.25 s, overlapping speech included, under
 * the pairing of labels that agrees best.
 */
export const diarizationError = (truth: readonly Turn[], heard: readonly Turn[]): DiarizationError => {
  const moments = scoredMoments(truth, heard)
  const sum = (of: (truth: number, heard: number) => number) =>
    moments.reduce((total, moment) => total + of(moment.truth.length, moment.heard.length), 0)
  const spoken = sum((known) => known)
  if (!spoken) return { missed: 0, falseAlarm: 0, confusion: 0, total: 0 }
  const missed = sum((known, said) => Math.max(0, known - said)) / spoken
  const falseAlarm = sum((known, said) => Math.max(0, said - known)) / spoken
  const confusion = (sum(Math.min) - mostAgreement(moments)) / spoken
  return { missed, falseAlarm, confusion, total: missed + falseAlarm + confusion }
}

interface Moment {
  readonly truth: readonly string[]
  readonly heard: readonly string[]
}

const scoredMoments = (truth: readonly Turn[], heard: readonly Turn[]): Moment[] => {
  const end = Math.max(0, ...[...truth, ...heard].map((turn) => turn.end))
  const edges = truth.flatMap((turn) => [turn.start, turn.end])
  return Array.from({ length: Math.ceil(end / step) }, (_, index) => (index + 0.5) * step)
    .filter((time) => edges.every((edge) => Math.abs(edge - time) > collar))
    .map((time) => ({ truth: at(truth, time), heard: at(heard, time) }))
}

const at = (turns: readonly Turn[], time: number): string[] => [
  ...new Set(turns.filter(({ start, end }) => start <= time && time < end).map(({ speaker }) => speaker)),
]

const mostAgreement = (moments: readonly Moment[]): number => {
  const known = [...new Set(moments.flatMap(({ truth }) => truth))]
  const labels = [...new Set(moments.flatMap(({ heard }) => heard))]
  return bestPairing(
    known.map((speaker) =>
      labels.map((label) => moments.filter((one) => one.truth.includes(speaker) && one.heard.includes(label)).length),
    ),
  )
}

/**
 * The highest sum of values in which no two share a row or a column (what the Hungarian algorithm finds), by going over
 * the sets of columns that are taken: for up to a dozen columns.
 */
export const bestPairing = (values: readonly (readonly number[])[]): number => {
  let best = new Map([[0, 0]])
  for (const row of values) {
    const next = new Map(best)
    for (const [taken, sum] of best)
      row.forEach((value, column) => {
        const set = taken | (1 << column)
        if (set !== taken) next.set(set, Math.max(next.get(set) ?? 0, sum + value))
      })
    best = next
  }
  return Math.max(...best.values())
}

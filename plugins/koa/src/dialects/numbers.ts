/** Scores never reach 0 or 1, so that they never print as integers: some clients then read another type. */
export const wireScore = (score: number): number => Math.min(1 - 1e-6, Math.max(1e-6, score))

/** To tenths. */
export const roundedMilliseconds = (milliseconds: number): number => Math.round(milliseconds * 10) / 10

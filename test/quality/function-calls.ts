/** Compares calls of functions with the ground truth of the Berkeley Function Calling Leaderboard (BFCL v4). */

/**
 * By function and parameter: the values that are right; an empty text among them for a parameter that may be left out.
 */
export type GroundTruth = readonly Readonly<Record<string, Readonly<Record<string, readonly unknown[]>>>>[]

export interface MadeCall {
  readonly name: string
  /** JSON text. */
  readonly arguments: string
}

/** The functions that had to be called were, and no other. */
export const namesAreRight = (calls: readonly MadeCall[], truth: GroundTruth): boolean => {
  const wanted = truth.flatMap((call) => Object.keys(call)).sort()
  const made = calls.map(({ name }) => name).sort()
  return wanted.length === made.length && wanted.every((name, at) => name === made[at])
}

/** Names and arguments are right. */
export const callsAreRight = (calls: readonly MadeCall[], truth: GroundTruth): boolean =>
  namesAreRight(calls, truth) &&
  truth.every((wanted) =>
    Object.entries(wanted).every(([name, parameters]) =>
      calls.some((call) => call.name === name && argumentsAreRight(objectIn(call.arguments), parameters)),
    ),
  )

/** The object that a JSON text is; undefined where it is none. */
export const objectIn = (text: string): Readonly<Record<string, unknown>> | undefined => {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined
  } catch {
    return undefined
  }
}

const argumentsAreRight = (
  given: Readonly<Record<string, unknown>> | undefined,
  parameters: Readonly<Record<string, readonly unknown[]>>,
): boolean =>
  given !== undefined &&
  Object.keys(given).every((name) => name in parameters) &&
  Object.entries(parameters).every(([name, right]) =>
    name in given ? right.some((value) => same(value, given[name])) : right.includes(''),
  )

/** As BFCL compares: texts without case, spaces and punctuation; lists item by item. */
const same = (right: unknown, given: unknown): boolean => {
  if (typeof right === 'string' && typeof given === 'string') return folded(right) === folded(given)
  if (Array.isArray(right) && Array.isArray(given))
    return right.length === given.length && right.every((value, at) => same(value, given[at]))
  if (isObject(right) && isObject(given))
    return Object.entries(right).every(([key, values]) => [values].flat().some((value) => same(value, given[key])))
  return right === given
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const folded = (text: string) => text.toLowerCase().replace(/[ ,./\-_*^'"]/g, '')

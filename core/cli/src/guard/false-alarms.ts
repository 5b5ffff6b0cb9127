/** How often a detector takes harmless texts for what it looks for, and how sure that is. */

import { maxOf, minOf } from '@sallyport/kit/lists'
import { randomNumbers } from '@sallyport/kit/numbers'

export interface JudgedText {
  /** Whether its score counts. */
  readonly alarm: boolean
  /** Texts without a source are independent of all others. */
  readonly source?: string | undefined
}

/** A rate of false alarms, from 0 to 1, with its 95 % interval. */
export interface AlarmRate {
  readonly texts: number
  readonly alarms: number
  /** How many texts are independent: sources count once. */
  readonly independent: number
  readonly low: number
  readonly high: number
}

interface Group {
  readonly texts: number
  readonly alarms: number
}

/** The quantile of the normal distribution that leaves 2.5 % above it. */
const z = 1.96
const draws = 2000
/** From this many on, sources are drawn: fewer say too little of how sources differ. */
const enoughSources = 10

/**
 * The interval is Wilson's (1927) where all texts are independent. Over sources, it holds a bootstrap of them and Wilson's,
 * for sources cannot tell more than as many independent texts. Where there are few sources, or all have one rate, of which a
 * bootstrap makes an interval without width, it is Wilson's for as many texts as there are sources.
 */
export const alarmRateOf = (texts: readonly JudgedText[]): AlarmRate => {
  const groups = groupsOf(texts)
  const all = sumOf(groups)
  const rate = all.alarms / all.texts
  const differ = groups.some((group) => group.alarms / group.texts !== rate)
  const drawn = groups.length >= enoughSources && groups.length < texts.length && differ
  const bounds = drawn ? [...bootstrap(groups), ...wilson(rate, texts.length)] : wilson(rate, groups.length)
  return { ...all, independent: groups.length, low: minOf(bounds), high: maxOf(bounds) }
}

const groupsOf = (texts: readonly JudgedText[]): Group[] => {
  const groups = new Map<unknown, Group>()
  for (const text of texts) {
    const key = text.source ?? text
    const { texts: before, alarms } = groups.get(key) ?? { texts: 0, alarms: 0 }
    groups.set(key, { texts: before + 1, alarms: alarms + Number(text.alarm) })
  }
  return [...groups.values()]
}

const sumOf = (groups: readonly Group[]): Group => {
  let [texts, alarms] = [0, 0]
  for (const group of groups) {
    texts += group.texts
    alarms += group.alarms
  }
  return { texts, alarms }
}

const wilson = (rate: number, count: number): [number, number] => {
  const centre = rate + (z * z) / (2 * count)
  const half = z * Math.sqrt((rate * (1 - rate)) / count + (z / (2 * count)) ** 2)
  const scale = 1 + (z * z) / count
  return [Math.max(0, (centre - half) / scale), Math.min(1, (centre + half) / scale)]
}

/** Always the same for the same groups. */
const bootstrap = (groups: readonly Group[]): [number, number] => {
  const random = randomNumbers(1)
  const rates = Array.from({ length: draws }, () => {
    const drawn = sumOf(groups.map((group) => groups[Math.floor(random() * groups.length)] ?? group))
    return drawn.alarms / drawn.texts
  }).sort((a, b) => a - b)
  return [rates[draws * 0.025] ?? 0, rates[draws * 0.975 - 1] ?? 1]
}

/** Cells of a table: how many texts, how many alarms, their rate and its interval. @param per 100 or 1000 */
export const alarmCells = ({ texts, alarms, low, high }: AlarmRate, per: number): string[] => {
  const [rate, from, to] = [alarms / texts, low, high].map((value) => (value * per).toFixed(1))
  return [`${texts}`, `${alarms}`, `${rate}`, `${from} to ${to}`]
}

/** Where none of n texts counts, all that is known with 95 % confidence is that the rate is below 3/n. @param rate in percent */
export const ruleOfThree = (texts: number, rate: number): string[] => {
  const least = Math.min(100, 300 / texts)
  if (rate >= least) return []
  const remedy = rate > 0 ? `; ${Number(rate.toPrecision(3))} of a hundred takes ${Math.ceil(300 / rate)} texts` : ''
  return [`With ${texts} texts, no rate under ${least.toFixed(1)} of a hundred can be promised (3/n)${remedy}.`]
}

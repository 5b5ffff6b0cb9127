/** Keeps how often checks in shadow mode gave which score, so that thresholds can be chosen from real traffic. */

import { randomUUID } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { failure } from '@sallyport/core'
import type { Logger, Verdict } from '@sallyport/core'
import { isRecord } from '@sallyport/kit/json'

/** Bins of equal width over the scores 0 to 1; the last includes 1. */
export const scoreBins = 100
/** Days after which counts are deleted. */
const keptDays = 31
const writeIntervalMs = 60_000
const fileName = /^(\d{4}-\d\d-\d\d)\.[\da-f-]{36}\.json$/

/** For each policy, stage and check, such as `default input injection`, the number of requests by the bin of their highest score. */
export type ScoreCounts = Readonly<Record<string, readonly number[]>>

/** Where a request is counted. */
interface Counted {
  readonly bins: number[]
  readonly bin: number
}

const directoryIn = (home: string): string => join(home, 'shadow-scores')

const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10)

/** Counts scores, and writes them every minute: one file a day for each process, so that several may share a directory. */
export class ShadowScores {
  private readonly id = randomUUID()
  private day = ''
  private counts: Record<string, number[]> = {}
  private readonly countedOf = new WeakMap<object, Map<string, Counted>>()
  private timer: NodeJS.Timeout | undefined
  private writing = Promise.resolve()

  constructor(
    private readonly home: string,
    private readonly logger: Logger,
    private readonly now: () => number = Date.now,
  ) {}

  /**
   * A higher score takes the place of a lower one of the same request, so that long histories count no more than others.
   * @param request stands for the request, by its identity
   */
  add({ policy, check, stage, mode, score }: Verdict, request: object): void {
    if (mode !== 'shadow' || policy === undefined || score === undefined || !(score >= 0 && score <= 1)) return
    this.beginDay(dayOf(this.now()))
    const name = `${policy} ${stage} ${check}`
    const bin = Math.min(scoreBins - 1, Math.floor(score * scoreBins))
    const counted = this.countedOf.get(request) ?? new Map<string, Counted>()
    const before = counted.get(name)
    if (before && before.bin >= bin) return
    const bins = before?.bins ?? (this.counts[name] ??= new Array<number>(scoreBins).fill(0))
    if (before) bins[before.bin] = (bins[before.bin] ?? 0) - 1
    bins[bin] = (bins[bin] ?? 0) + 1
    this.countedOf.set(request, counted.set(name, { bins, bin }))
    this.timer ??= setTimeout(() => this.write(), writeIntervalMs).unref()
  }

  /** Writes what was counted. */
  async close(): Promise<void> {
    if (this.timer) this.write()
    await this.writing
  }

  private beginDay(day: string): void {
    if (day === this.day) return
    if (this.timer) this.write()
    this.day = day
    this.counts = {}
  }

  private write(): void {
    clearTimeout(this.timer)
    this.timer = undefined
    const [name, content] = [`${this.day}.${this.id}.json`, JSON.stringify(this.counts)]
    this.writing = this.writing
      .then(() => this.writeFile(name, content))
      .catch((error: unknown) => this.logger.warn({ error }, 'the scores of checks in shadow mode could not be kept'))
  }

  private async writeFile(name: string, content: string): Promise<void> {
    const directory = directoryIn(this.home)
    await mkdir(directory, { recursive: true, mode: 0o700 })
    const temporaryFile = join(directory, `.${name}`)
    await writeFile(temporaryFile, content, { mode: 0o600 })
    await rename(temporaryFile, join(directory, name))
    const oldest = dayOf(this.now() - keptDays * 86_400_000)
    for (const { day, path } of await filesIn(directory)) if (day < oldest) await rm(path, { force: true })
  }
}

const filesIn = async (directory: string) => {
  const names = await readdir(directory).catch(() => [])
  return names.flatMap((name) => {
    const day = fileName.exec(name)?.[1]
    return day === undefined ? [] : [{ day, path: join(directory, name) }]
  })
}

/**
 * The counts of the last days, today included, of all processes that share the directory of state.
 * @throws what the file system throws; invalid_request for a file that holds no counts
 */
export const readShadowScores = async (home: string, days: number, now = Date.now()): Promise<ScoreCounts> => {
  const first = dayOf(now - (days - 1) * 86_400_000)
  const sum: Record<string, number[]> = {}
  for (const { day, path } of await filesIn(directoryIn(home))) {
    if (day < first) continue
    for (const [name, bins] of Object.entries(countsIn(await readFile(path, 'utf8'), path))) {
      const total = (sum[name] ??= new Array<number>(scoreBins).fill(0))
      for (const [bin, count] of bins.entries()) total[bin] = (total[bin] ?? 0) + count
    }
  }
  return sum
}

const countsIn = (text: string, path: string): ScoreCounts => {
  const counts = parseJson(text)
  if (isRecord(counts) && Object.values(counts).every(areBins)) return counts as ScoreCounts
  throw failure('invalid_request', { field: path, problem: 'holds no counts of scores: remove it' })
}

/** Whoever counts begins with a request, and moves it to another bin at most. */
const areBins = (bins: unknown): boolean =>
  Array.isArray(bins) &&
  bins.length === scoreBins &&
  bins.every((count) => Number.isSafeInteger(count) && count >= 0) &&
  bins.some((count) => count > 0)

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

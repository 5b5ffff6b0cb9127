/** What was measured. */

import { summarise } from './statistics.js'
import type { Interval, Summary } from './statistics.js'

export const sections = [
  'generation',
  'abort',
  'adapter',
  'boundary',
  'memory',
  'embedding',
  'guard',
  'guarded-streams',
  'long-prompts',
  'structured',
  'tools',
  'fairness',
] as const
export type SectionName = (typeof sections)[number]

export type Unit =
  | 'ms'
  | 'µs'
  | 'MB'
  | 'tokens/s'
  | 'requests/s'
  | 'chunks/s'
  | 'texts/s'
  | 'streams/s'
  | 'streams'
  | 'sentences'
  | '%'
  | 'ratio'

/** Whose figure it is; `ratio` and `difference` compare two of them, round by round. */
export type Subject =
  | 'sallyport'
  | 'llama-server'
  | 'raw-session'
  | 'ratio'
  | 'difference'
  | 'http'
  | 'bare-http'
  | 'bare-client'
  | 'kernel'
  | 'child'
  | 'in-process'
  | 'idle'
  | 'guarded'
  | 'unguarded'
  | 'free'
  | 'grammar'
  | 'alone'
  | 'crowded'

export interface Figure {
  readonly section: SectionName
  readonly measure: string
  readonly subject: Subject
  /** Model id, where one took part. */
  readonly model?: string
  readonly unit: Unit
  /** One value per round. */
  readonly rounds: readonly number[]
  /** 95 % bootstrap interval of the median. */
  readonly interval?: Interval
  /** How it was measured: threads, clients. */
  readonly note?: string
}

export type SummarisedFigure = Figure & Summary

export const summariseFigure = (figure: Figure): SummarisedFigure => ({ ...figure, ...summarise(figure.rounds) })

/** Makes the figures of one section and model. */
export const figuresOf =
  (section: SectionName, model?: string) =>
  (
    measure: string,
    subject: Subject,
    unit: Unit,
    rounds: readonly number[],
    extra: Pick<Figure, 'interval' | 'note'> = {},
  ): Figure => ({ section, measure, subject, ...(model === undefined ? {} : { model }), unit, rounds, ...extra })

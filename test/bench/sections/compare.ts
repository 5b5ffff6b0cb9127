import { figuresOf } from '../figures.js'
import type { Figure, SectionName, Unit } from '../figures.js'
import type { ContenderName } from '../servers/contender.js'
import { differences, ratios } from '../statistics.js'

export interface Compared {
  readonly section: SectionName
  readonly model: string
  readonly measure: string
  readonly unit: Unit
  readonly results: readonly Result[]
}

export interface Result {
  readonly name: ContenderName
  /** Value by round. */
  readonly rounds: readonly number[]
  readonly note?: string
}

/** The figures of one measure: of each server, and ours against llama-server's where that took part. */
export const compare = (
  { section, model, measure, unit, results }: Compared,
  how: 'ratio' | 'difference',
): Figure[] => {
  const figure = figuresOf(section, model)
  const order: readonly ContenderName[] = ['sallyport', 'llama-server']
  const present = order.flatMap((name) => results.filter((result) => result.name === name))
  const own = present.map(({ name, rounds, note }) =>
    figure(measure, name, unit, rounds, note === undefined ? {} : { note }),
  )
  const [ours, theirs] = present
  if (!ours || !theirs) return own
  const { rounds, interval } = (how === 'ratio' ? ratios : differences)(ours.rounds, theirs.rounds)
  return [...own, figure(measure, how, how === 'ratio' ? 'ratio' : unit, rounds, { interval })]
}

/** Figures against targets. */

import type { SummarisedFigure } from '../figures.js'
import type { BenchModel } from '../servers/contender.js'
import type { Target } from '../targets.js'

export interface Verdict {
  readonly description: string
  readonly model?: string
  /** As the target states it: `>= 0.85`. */
  readonly limit: string
  readonly value: number
  readonly reached: boolean
  /** The limit lies within the noise: another run may say the opposite. */
  readonly uncertain: boolean
}

/** One verdict per target and figure that it is meant for. */
export const judge = (
  figures: readonly SummarisedFigure[],
  targets: readonly Target[],
  models: readonly BenchModel[],
): Verdict[] =>
  targets.flatMap((target) =>
    figures
      .filter(
        ({ section, measure, subject, model }) =>
          section === target.section &&
          measure === target.measure &&
          subject === target.subject &&
          isMeantFor(
            target,
            models.find(({ id }) => id === model),
          ),
      )
      .map((figure) => verdictOn(target, figure)),
  )

const isMeantFor = ({ weights }: Target, model: BenchModel | undefined): boolean => {
  if (!weights || !model) return true
  return model.bytes >= (weights.atLeast ?? 0) && model.bytes < (weights.below ?? Infinity)
}

const verdictOn = (
  { description, atLeast = -Infinity, atMost = Infinity }: Target,
  figure: SummarisedFigure,
): Verdict => {
  const reaches = (value: number) => value >= atLeast && value <= atMost
  const [low, high] = figure.interval ?? [figure.min, figure.max]
  return {
    description,
    ...(figure.model === undefined ? {} : { model: figure.model }),
    limit: Number.isFinite(atLeast) ? `>= ${atLeast}` : `<= ${atMost}`,
    value: figure.median,
    reached: reaches(figure.median),
    uncertain: reaches(low) !== reaches(high),
  }
}

import { failure } from '@sallyport/core/errors'
import type { SallyportError } from '@sallyport/core/errors'
import { showPath } from '../json/data.js'
import type { Path } from '../json/data.js'

/** Finds where a key, or its value, is written: file, line and column. */
export type Where = (path: Path, part?: 'key' | 'value') => string | undefined

/** Something wrong in a configuration. */
export interface Problem {
  readonly path: Path
  /** Whether the problem is in the key or in its value. Default: the value. */
  readonly part?: 'key' | 'value'
  readonly problem: string
}

const shownProblems = 20

const line = (problem: Problem, where: Where | undefined): { where?: string; problem: string } => {
  const place = where?.(problem.path, problem.part)
  const path = showPath(problem.path)
  return {
    ...(place === undefined ? {} : { where: place }),
    problem: path ? `${path}: ${problem.problem}` : problem.problem,
  }
}

/** All problems as one error, so that a user sees them at once. */
export const configError = (problems: readonly Problem[], where?: Where): SallyportError => {
  const [first, ...others] = problems.map((problem) => line(problem, where))
  if (!first) throw new RangeError('an error without a problem')
  const lines = new Set([first, ...others].map((each) => (each.where ? `${each.where}: ` : '') + each.problem))
  if (lines.size === 1) return failure('config_invalid', first)
  const more = lines.size > shownProblems ? [`and ${lines.size - shownProblems} more`] : []
  const shown = [...[...lines].slice(0, shownProblems), ...more]
  return failure('config_invalid', { problem: `${lines.size} problems\n  ${shown.join('\n  ')}` })
}

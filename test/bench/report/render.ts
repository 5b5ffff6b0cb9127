/** Figures and verdicts for people. */

import { sections } from '../figures.js'
import type { SummarisedFigure } from '../figures.js'
import { table } from './table.js'
import type { Verdict } from './verdicts.js'

export const renderFigures = (figures: readonly SummarisedFigure[]): string => {
  const groups = sections.flatMap((section) => {
    const inSection = figures.filter((figure) => figure.section === section)
    return [...new Set(inSection.map(({ model }) => model))].map((model) => ({
      title: model === undefined ? section : `${section} · ${model}`,
      figures: inSection.filter((figure) => figure.model === model),
    }))
  })
  return groups.map(({ title, figures: group }) => `${title}\n${table(columns, group.map(row))}`).join('\n\n')
}

const columns = ['measure', 'of', 'median', 'min', 'max', 'unit', '95 % interval', 'how']

const row = ({ measure, subject, median, min, max, unit, interval, note }: SummarisedFigure): string[] => [
  measure,
  subject,
  readable(median),
  readable(min),
  readable(max),
  unit,
  interval ? interval.map(readable).join(' to ') : '',
  note ?? '',
]

/** Three or four digits that mean something. */
const readable = (value: number): string => {
  const size = Math.abs(value)
  return value.toFixed(size >= 1000 ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : 3)
}

export const renderVerdicts = (verdicts: readonly Verdict[]): string =>
  table(
    ['target', 'model', 'limit', 'measured', 'verdict'],
    verdicts.map(({ description, model, limit, value, reached, uncertain }) => [
      description,
      model ?? '',
      limit,
      readable(value),
      (reached ? 'pass' : 'MISS') + (uncertain ? ' (within the noise)' : ''),
    ]),
  )

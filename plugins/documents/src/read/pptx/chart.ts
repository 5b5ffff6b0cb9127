import { maxOf } from '@sallyport/kit/lists'
import { child, childrenNamed, descendants, xmlText } from '../../container/xml.js'
import type { XmlElement } from '../../container/xml.js'
import type { Block } from '../../model/blocks.js'
import { paragraph, text } from '../../model/inlines.js'
import { tableOf } from '../csv.js'

/** The title of a chart, and its numbers as a table with a row for each category and a column for each series. */
export const chartBlocks = (root: XmlElement): Block[] => {
  const title = descendants(descendants(root, 'title')[0], 't').map(xmlText).join('').trim()
  const series = descendants(root, 'ser').map((one) => ({
    name: values(child(one, 'tx')).join(' '),
    categories: values(child(one, 'cat') ?? child(one, 'xVal')),
    numbers: values(child(one, 'val') ?? child(one, 'yVal')),
  }))
  const length = maxOf([0, ...series.map(({ numbers }) => numbers.length)])
  const rows = Array.from({ length }, (_, row) => [
    series.map(({ categories }) => categories[row]).find(Boolean) ?? '',
    ...series.map(({ numbers }) => numbers[row] ?? ''),
  ])
  return [
    ...(title ? [paragraph([text(title, ['bold'])])] : []),
    ...(rows.length ? [tableOf([['', ...series.map(({ name }) => name)], ...rows])] : []),
  ]
}

const maxPoints = 10_000

const values = (element: XmlElement | undefined): string[] => {
  const points = descendants(element, 'pt')
  if (points.length === 0) return descendants(element, 'v').map(xmlText)
  const found: (string | undefined)[] = []
  for (const point of points.slice(0, maxPoints)) {
    const index = Number(point.attributes['idx'] ?? found.length)
    if (index >= 0 && index < maxPoints) found[index] = childrenNamed(point, 'v').map(xmlText).join(' ')
  }
  return Array.from(found, (value) => value ?? '')
}

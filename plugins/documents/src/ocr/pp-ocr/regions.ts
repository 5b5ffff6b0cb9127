/** Finds lines of text in the detector's probability map. */

import { boundingAt, boundingBox, convexHull, smallestRectangle } from './rectangle.js'
import type { Point, Rectangle } from './rectangle.js'

interface ProbabilityMap {
  readonly width: number
  readonly height: number
  readonly data: Float32Array
}

/** Pixels above this probability are text. */
const pixelThreshold = 0.3
/** Min mean probability of a line. */
const lineThreshold = 0.5
/** The detector marks the core of a line, which is expanded on all sides by this times its area over its perimeter. */
const unclipRatio = 1.6

/** Regions with shorter sides, in pixels of the map, are specks. */
const minSide = 3
/** Regions with a lower aspect ratio get the common angle of the page, because their shapes do not show theirs. */
const minAspect = 4
/** No page has more lines, but noise does. */
const maxLines = 3000

/** The lines of text in pixels of the map; where there are too many, the largest. */
export const regionsOf = (map: ProbabilityMap): Rectangle[] => {
  const cores = hullsOf(map).map((hull) => ({ hull, core: smallestRectangle(hull) }))
  const skew = commonAngle(cores.map(({ core }) => core).filter(isLong))
  return cores
    .map(({ hull, core }) => (isLong(core) ? core : boundingAt(hull, skew)))
    .filter((core) => Math.min(core.width, core.height) >= minSide && meanInside(map, core) >= lineThreshold)
    .map(unclip)
    .sort((a, b) => b.width * b.height - a.width * a.height)
    .slice(0, maxLines)
}

const isLong = ({ width, height }: Rectangle) => Math.max(width, height) >= minAspect * Math.min(width, height)

/** The median angle, weighted by length. */
export const commonAngle = (rectangles: readonly Rectangle[]): number => {
  const sorted = [...rectangles].sort((a, b) => a.angle - b.angle)
  const weight = ({ width, height }: Rectangle) => Math.max(width, height)
  let rest = sorted.reduce((sum, rectangle) => sum + weight(rectangle), 0) / 2
  for (const rectangle of sorted) if ((rest -= weight(rectangle)) <= 0) return rectangle.angle
  return 0
}

const unclip = (core: Rectangle): Rectangle => {
  const { width, height } = core
  const distance = (unclipRatio * width * height) / (2 * (width + height))
  return { ...core, width: width + 2 * distance, height: height + 2 * distance }
}

/** The convex hulls of 8-connected areas above the threshold. */
const hullsOf = ({ width, height, data }: ProbabilityMap): Point[][] => {
  const seen = new Uint8Array(width * height)
  const stack: number[] = []
  const hulls: Point[][] = []
  const visit = (at: number) => {
    if (seen[at] || (data[at] ?? 0) <= pixelThreshold) return
    seen[at] = 1
    stack.push(at)
  }
  for (let start = 0; start < data.length; start++) {
    visit(start)
    if (stack.length === 0) continue
    const rows = new Map<number, [number, number]>()
    for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
      const x = at % width
      const y = (at - x) / width
      extend(rows, x, y)
      const [left, right] = [x > 0 ? 1 : 0, x + 1 < width ? 1 : 0]
      for (let row = Math.max(0, y - 1); row <= y + 1 && row < height; row++)
        for (let neighbour = row * width + x - left; neighbour <= row * width + x + right; neighbour++) visit(neighbour)
    }
    hulls.push(hullOfRows(rows))
  }
  return hulls
}

const extend = (rows: Map<number, [number, number]>, x: number, y: number): void => {
  const row = rows.get(y)
  if (!row) rows.set(y, [x, x])
  else if (x < row[0]) row[0] = x
  else if (x > row[1]) row[1] = x
}

/** The hull of whole pixels, including their corners. */
const hullOfRows = (rows: ReadonlyMap<number, readonly [number, number]>): Point[] =>
  convexHull(
    [...rows].flatMap(([y, [left, right]]) => [
      { x: left, y },
      { x: left, y: y + 1 },
      { x: right + 1, y },
      { x: right + 1, y: y + 1 },
    ]),
  )

const meanInside = ({ width, height, data }: ProbabilityMap, rectangle: Rectangle): number => {
  const [cos, sin] = [Math.cos(rectangle.angle), Math.sin(rectangle.angle)]
  const box = boundingBox(rectangle, { width, height })
  let [sum, count] = [0, 0]
  for (let y = box.top; y < box.top + box.height; y++)
    for (let x = box.left; x < box.left + box.width; x++) {
      const [dx, dy] = [x + 0.5 - rectangle.x, y + 0.5 - rectangle.y]
      if (Math.abs(dx * cos + dy * sin) > rectangle.width / 2 || Math.abs(dy * cos - dx * sin) > rectangle.height / 2)
        continue
      sum += data[y * width + x] ?? 0
      count++
    }
  return count > 0 ? sum / count : 0
}

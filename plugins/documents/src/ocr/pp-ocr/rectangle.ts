/** Rotated rectangles. */

import { maxOf, minOf } from '@sallyport/kit/lists'
import type { Box } from '../../geometry.js'

export interface Point {
  readonly x: number
  readonly y: number
}

/** A rotated rectangle, in pixels. */
export interface Rectangle {
  /** The centre. */
  readonly x: number
  readonly y: number
  /** The side along the angle. */
  readonly width: number
  readonly height: number
  /** Clockwise from the horizontal, in radians; between -45° and 45°. */
  readonly angle: number
}

/** The corners of the convex hull. Points on its edges are left out. */
export const convexHull = (points: readonly Point[]): Point[] => {
  const sorted = [...points].sort((a, b) => a.x - b.x || a.y - b.y)
  if (sorted.length < 3) return sorted
  const half = (ordered: readonly Point[]) => {
    const chain: Point[] = []
    for (const point of ordered) {
      while (chain.length > 1 && turn(chain[chain.length - 2], chain[chain.length - 1], point) <= 0) chain.pop()
      chain.push(point)
    }
    return chain.slice(0, -1)
  }
  return [...half(sorted), ...half(sorted.reverse())]
}

const turn = (a: Point | undefined, b: Point | undefined, c: Point): number =>
  a && b ? (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x) : 0

/** The bounding rectangle of points at an angle. */
export const boundingAt = (points: readonly Point[], angle: number): Rectangle => {
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)]
  let [left, right, top, bottom] = [Infinity, -Infinity, Infinity, -Infinity]
  for (const { x, y } of points) {
    const along = x * cos + y * sin
    const across = y * cos - x * sin
    left = Math.min(left, along)
    right = Math.max(right, along)
    top = Math.min(top, across)
    bottom = Math.max(bottom, across)
  }
  const [along, across] = [(left + right) / 2, (top + bottom) / 2]
  return {
    x: along * cos - across * sin,
    y: along * sin + across * cos,
    width: right - left,
    height: bottom - top,
    angle,
  }
}

/** The bounding rectangle of a hull with the smallest area. */
export const smallestRectangle = (hull: readonly Point[]): Rectangle => {
  let best = boundingAt(hull, 0)
  for (const [index, from] of hull.entries()) {
    const to = hull[(index + 1) % hull.length] ?? from
    const rectangle = boundingAt(hull, withinEighthTurn(Math.atan2(to.y - from.y, to.x - from.x)))
    if (rectangle.width * rectangle.height < best.width * best.height - 1e-9) best = rectangle
  }
  return best
}

/** Subtracts right angles, so that the angle lies between -45° and 45°. */
const withinEighthTurn = (angle: number): number => angle - (Math.PI / 2) * Math.round(angle / (Math.PI / 2))

export const corners = ({ x, y, width, height, angle }: Rectangle): Point[] => {
  const [cos, sin] = [Math.cos(angle) / 2, Math.sin(angle) / 2]
  const corner = (right: number, down: number): Point => ({
    x: x + right * width * cos - down * height * sin,
    y: y + right * width * sin + down * height * cos,
  })
  return [corner(-1, -1), corner(1, -1), corner(1, 1), corner(-1, 1)]
}

/** The bounding box inside an image, in whole pixels. */
export const boundingBox = (rectangle: Rectangle, image: { readonly width: number; readonly height: number }): Box => {
  const points = corners(rectangle)
  const limited = (value: number, limit: number) => Math.min(limit, Math.max(0, value))
  const left = limited(Math.floor(minOf(points.map(({ x }) => x))), image.width - 1)
  const top = limited(Math.floor(minOf(points.map(({ y }) => y))), image.height - 1)
  const right = limited(Math.ceil(maxOf(points.map(({ x }) => x))), image.width)
  const bottom = limited(Math.ceil(maxOf(points.map(({ y }) => y))), image.height)
  return { left, top, width: Math.max(1, right - left), height: Math.max(1, bottom - top) }
}

/** The box of a rectangle when the image is rotated back by an angle. */
export const deskewed = ({ x, y, width, height }: Rectangle, angle: number): Box => {
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)]
  return { left: x * cos + y * sin - width / 2, top: y * cos - x * sin - height / 2, width, height }
}

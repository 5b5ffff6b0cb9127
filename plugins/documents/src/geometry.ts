import { maxOf, minOf } from '@sallyport/kit/lists'

/** A box from the top left of the page, in points (1/72 inch); of an image, in pixels. */
export interface Box {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
}

export interface Edges {
  readonly left: number
  readonly right: number
  readonly top: number
  readonly bottom: number
}

export const edgesOf = ({ left, top, width, height }: Box): Edges => {
  return { left, right: left + width, top, bottom: top + height }
}

/** The edges around all of these. */
export const boundsOf = (all: readonly Edges[]): Edges => ({
  left: minOf(all.map(({ left }) => left)),
  right: maxOf(all.map(({ right }) => right)),
  top: minOf(all.map(({ top }) => top)),
  bottom: maxOf(all.map(({ bottom }) => bottom)),
})

/** The box around all of these, scaled and rounded to tenths. */
export const boxAround = (all: readonly Edges[], scale = 1): Box => {
  const { left, right, top, bottom } = boundsOf(all)
  const rounded = (length: number) => Math.round(length * scale * 10) / 10
  return { left: rounded(left), top: rounded(top), width: rounded(right - left), height: rounded(bottom - top) }
}

/** The upper one of the two in the middle, where there are two; 0 where there are no values. */
export const median = (values: readonly number[]): number =>
  [...values].sort((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0

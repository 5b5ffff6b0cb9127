/** Resizing as PIL does it: a separable filter, widened where the image is made smaller. Written for clarity. */

export interface Bitmap {
  readonly width: number
  readonly height: number
  /** Rows of red, green and blue. */
  readonly values: readonly number[]
}

const filters = {
  linear: { radius: 1, weight: (x: number) => 1 - Math.abs(x) },
  cubic: {
    radius: 2,
    weight: (x: number) => {
      const d = Math.abs(x)
      return d < 1 ? 1.5 * d ** 3 - 2.5 * d ** 2 + 1 : -0.5 * d ** 3 + 2.5 * d ** 2 - 4 * d + 2
    },
  },
}

export const referenceResize = (image: Bitmap, width: number, height: number, filter: keyof typeof filters): Bitmap =>
  turned(squeezed(turned(squeezed(image, width, filter)), height, filter))

/** To another width. */
const squeezed = ({ width, height, values }: Bitmap, wanted: number, filter: keyof typeof filters): Bitmap => {
  const { radius, weight } = filters[filter]
  const scale = width / wanted
  const spread = Math.max(scale, 1)
  const result: number[] = []
  for (let y = 0; y < height; y++)
    for (let x = 0; x < wanted; x++) {
      const centre = (x + 0.5) * scale
      const sums = [0, 0, 0]
      let total = 0
      for (let from = Math.floor(centre - radius * spread); from <= centre + radius * spread; from++) {
        const distance = (from + 0.5 - centre) / spread
        if (from < 0 || from >= width || Math.abs(distance) >= radius) continue
        total += weight(distance)
        for (let channel = 0; channel < 3; channel++)
          sums[channel]! += weight(distance) * values[(y * width + from) * 3 + channel]!
      }
      result.push(...sums.map((sum) => Math.min(255, Math.max(0, sum / total))))
    }
  return { width: wanted, height, values: result }
}

const turned = ({ width, height, values }: Bitmap): Bitmap => {
  const result: number[] = []
  for (let x = 0; x < width; x++)
    for (let y = 0; y < height; y++) result.push(...values.slice((y * width + x) * 3, (y * width + x) * 3 + 3))
  return { width: height, height: width, values: result }
}

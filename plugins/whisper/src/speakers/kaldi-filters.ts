const rate = 16_000
const lowest = 20

const toMel = (hertz: number) => 1127 * Math.log(1 + hertz / 700)

/**
 * Triangular filters on the mel scale, of height 1, as Kaldi makes them (feat/mel-computations.cc): between 20 Hz and
 * half the rate, triangles in mel and not in hertz. Row-major, size / 2 + 1 weights per filter.
 */
export const kaldiFilters = (count: number, size: number): Float32Array => {
  const bins = size / 2 + 1
  const [low, high] = [toMel(lowest), toMel(rate / 2)]
  const step = (high - low) / (count + 1)
  const filters = new Float32Array(count * bins)
  for (let filter = 0; filter < count; filter += 1) {
    const left = low + filter * step
    // Kaldi leaves out the last bin
    for (let bin = 0; bin < bins - 1; bin += 1) {
      const mel = toMel((bin * rate) / size)
      filters[filter * bins + bin] = Math.max(0, Math.min((mel - left) / step, (left + 2 * step - mel) / step))
    }
  }
  return filters
}

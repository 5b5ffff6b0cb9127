/**
 * Triangular filters on Slaney's mel scale, each of area 1, as `librosa.filters.mel(sr=16000)` makes them and
 * Whisper was trained with.
 */
const rate = 16_000
const usualFrame = 400
export const melBins = usualFrame / 2 + 1

/** Linear up to 1,000 Hz, then logarithmic. */
const slope = 200 / 3
const corner = { hertz: 1000, mel: 1000 / slope }
const step = Math.log(6.4) / 27

const toMel = (hertz: number) =>
  hertz < corner.hertz ? hertz / slope : corner.mel + Math.log(hertz / corner.hertz) / step
const toHertz = (mel: number) => (mel < corner.mel ? mel * slope : corner.hertz * Math.exp(step * (mel - corner.mel)))

/** Row-major, one row of {@link melBins} per filter, or of as many as a transform of so many samples has. */
export const melFilters = (count: number, frame = usualFrame): Float32Array => {
  const bins = frame / 2 + 1
  const highest = toMel(rate / 2)
  const edges = Array.from({ length: count + 2 }, (_, index) => toHertz((highest * index) / (count + 1)))
  const filters = new Float32Array(count * bins)
  for (let filter = 0; filter < count; filter += 1) {
    const [low = 0, centre = 0, high = 0] = edges.slice(filter, filter + 3)
    for (let bin = 0; bin < bins; bin += 1) {
      const hertz = (bin * rate) / frame
      const height = Math.min((hertz - low) / (centre - low), (high - hertz) / (high - centre))
      filters[filter * bins + bin] = Math.max(0, height) * (2 / (high - low))
    }
  }
  return filters
}

import type { Call, EmbeddingCapability, Served } from '@sallyport/core'

/** Vectors of the names of what pictures show, each asked for once. */
export class LabelVectors {
  /** By name and dimensions. There are as many names as the classifier has classes. */
  private readonly known = new Map<string, Float32Array>()

  constructor(private readonly texts: () => Served<EmbeddingCapability>) {}

  async of(names: readonly string[], dimensions: number | undefined, call: Call): Promise<Float32Array[]> {
    const key = (name: string) => `${dimensions ?? 'all'} ${name}`
    const missing = [...new Set(names)].filter((name) => !this.known.has(key(name)))
    if (missing.length) {
      const inputs = missing.map((name) => ({ text: `a photo of a ${name}` }))
      const request = { inputs, ...(dimensions !== undefined && { dimensions }) }
      const { vectors } = await this.texts().embed(request, call)
      vectors.forEach((vector, index) => this.known.set(key(missing[index] ?? ''), vector))
    }
    return names.map((name) => this.known.get(key(name)) ?? new Float32Array())
  }
}

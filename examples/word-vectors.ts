/**
 * A backend of one's own: a kind of model that the configuration names, here for files of word vectors (a line is a
 * word and its numbers, as GloVe has them). The vector of a text is the mean of its words'.
 *
 *     plugins: ['@sallyport/koa', ./word-vectors.ts]
 *     models:
 *       glove: { backend: word-vectors, source: ./glove.6B.100d.txt, options: { contextLength: 256 } }
 */
import { readFile } from 'node:fs/promises'
import { definePlugin, embedding, failure, inject, injectable, logger, modelSpec, provide } from '@sallyport/core'
import type {
  EmbeddingCapability,
  EmbeddingInput,
  EmbeddingRequest,
  EmbeddingResult,
  Call,
  LoadedModel,
  Logger,
  ModelBackend,
  ModelSpec,
} from '@sallyport/core'
import { normalised } from '@sallyport/kit/numbers'

/** Of one model, under `models.<id>.options`: checked, and with defaults, when a class gets them. */
interface WordVectorsOptions {
  contextLength: number
}

/** Made once per model: here in a process of its own, for `isolation` below asks for one. */
@injectable()
class WordVectorsBackend implements ModelBackend {
  constructor(
    /** Its `files` are paths on this machine: found, or fetched and checked, before the model is loaded. */
    @inject(modelSpec) private readonly spec: ModelSpec<WordVectorsOptions>,
    @inject(logger) private readonly logger: Logger,
  ) {}

  async load(): Promise<LoadedModel> {
    const { id, files, options } = this.spec
    const vectors = readVectors(await readFile(files['model'] ?? '', 'utf8'))
    const [first] = vectors.values()
    // Ends the start, with this sentence: what is wrong, and what to do.
    if (!first || [...vectors.values()].some(({ length }) => length !== first.length))
      throw failure('model_invalid', {
        model: id,
        problem: 'it is no file of word vectors: a word and numbers per line',
      })
    this.logger.info({ words: vectors.size }, 'the words are read')
    return {
      provides: [provide(embedding, new WordVectors(vectors, first.length, options.contextLength))],
      descriptor: { contextLength: options.contextLength, description: `Means of ${vectors.size} word vectors.` },
    }
  }
}

const readVectors = (text: string): Map<string, Float32Array> =>
  new Map(
    text.split('\n').flatMap((line): [string, Float32Array][] => {
      const [word, ...numbers] = line.trim().split(' ')
      const vector = Float32Array.from(numbers, Number)
      return word && vector.length && vector.every(Number.isFinite) ? [[word.toLowerCase(), vector]] : []
    }),
  )

class WordVectors implements EmbeddingCapability {
  constructor(
    private readonly words: ReadonlyMap<string, Float32Array>,
    private readonly width: number,
    private readonly contextLength: number,
  ) {}

  /** One Float32Array of finite numbers per input, in order and all of one length: the kernel refuses anything else. */
  async embed({ inputs, truncate, dimensions }: EmbeddingRequest, { signal }: Call): Promise<EmbeddingResult> {
    // What a model cannot do it refuses. Fields are named as in the request; callers read their own dialect's names.
    if (dimensions !== undefined)
      throw failure('unsupported', { field: 'dimensions', problem: 'these vectors cannot be shortened' })
    const texts = inputs.map((input, index) => this.fitted(wordsOf(input, index), truncate, index))
    const vectors: Float32Array[] = []
    for (const words of texts) {
      // A caller who has left is not served, and others get their turn between two texts.
      await new Promise(setImmediate)
      signal.throwIfAborted()
      vectors.push(this.mean(words))
    }
    return { vectors, promptTokens: texts.reduce((sum, { length }) => sum + length, 0) }
  }

  private fitted(words: string[], truncate: EmbeddingRequest['truncate'], index: number): string[] {
    const limit = this.contextLength
    if (words.length <= limit) return words
    if (!truncate) throw failure('context_exceeded', { tokens: words.length, limit, field: `inputs[${index}]` })
    return truncate === 'right' ? words.slice(0, limit) : words.slice(-limit)
  }

  /** A text without a known word has a vector, too: every direction alike. */
  private mean(words: readonly string[]): Float32Array {
    const sum = new Float32Array(this.width)
    for (const word of words) this.words.get(word)?.forEach((value, index) => (sum[index] = (sum[index] ?? 0) + value))
    return normalised(sum.some((value) => value !== 0) ? sum : sum.fill(1))
  }
}

const wordsOf = (input: EmbeddingInput, index: number): string[] => {
  if ('text' in input && !('image' in input)) return input.text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
  throw failure('unsupported', { field: `inputs[${index}]`, problem: 'this model takes texts only' })
}

export default definePlugin({
  name: 'word-vectors',
  backends: {
    'word-vectors': {
      description: 'Means of word vectors from a text file.',
      /** What its models may provide; `load` says what one does. */
      capabilities: [embedding],
      class: WordVectorsBackend,
      options: {
        type: 'object',
        properties: { contextLength: { type: 'integer', minimum: 1, default: 512, description: 'Words of a text.' } },
      },
      /** `weights`, one file, is the default; `none` for a model without files; or the files of a folder by role. */
      files: 'weights',
      formats: ['.txt', '.vec'],
      isolation: {},
    },
  },
})

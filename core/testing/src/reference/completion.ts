import { inject, injectable } from 'tsyringe'
import { failure, options } from '@sallyport/core'
import type { Call, CompletionCapability, CompletionChunk, CompletionRequest } from '@sallyport/core'
import type { ReferenceOptions } from './backend.js'
import { seededRandom, countPrompt, streamWords, wordsOf } from './words.js'

/** The first sentences of Lewis Carroll's "Alice's Adventures in Wonderland" (1865). */
const corpus =
  'Alice was beginning to get very tired of sitting by her sister on the bank, and of having nothing to do: once or ' +
  'twice she had peeped into the book her sister was reading, but it had no pictures or conversations in it, "and what ' +
  'is the use of a book," thought Alice "without pictures or conversations?" So she was considering in her own mind (as ' +
  'well as she could, for the hot day made her feel very sleepy and stupid), whether the pleasure of making a ' +
  'daisy-chain would be worth the trouble of getting up and picking the daisies, when suddenly a White Rabbit with pink ' +
  'eyes ran close by her.'

/** Continues a text with a Markov chain: after each word comes one that followed it in the corpus. */
@injectable()
export class MarkovCompletion implements CompletionCapability {
  static readonly contextLength = 2048

  constructor(@inject(options) private readonly options: ReferenceOptions) {}

  async *stream(request: CompletionRequest, call: Call): AsyncGenerator<CompletionChunk> {
    call.signal.throwIfAborted()
    if (request.suffix !== undefined)
      throw failure('unsupported', { field: 'suffix', problem: 'this model cannot infill: leave it out' })
    const { contextLength } = MarkovCompletion
    const promptTokens = countPrompt(request.prompt, contextLength)
    yield* streamWords(
      { words: continuation(request), promptTokens, contextLength },
      { maxTokens: 64, ...request },
      call,
      this.options,
    )
  }
}

const successors = new Map<string, string[]>()
const corpusWords = wordsOf(` ${corpus}`)
for (const [index, word] of corpusWords.entries()) {
  const next = corpusWords[index + 1]
  if (next !== undefined) successors.set(word, [...(successors.get(word) ?? []), next])
}

/**
 * At temperature 0 it takes each word's successors in turn, so that it does not repeat itself; above, the seed draws
 * them.
 */
function* continuation({ prompt, seed = 0, temperature = 0 }: CompletionRequest): Generator<string> {
  const visits = new Map<string, number>()
  let word = ` ${wordsOf(prompt).at(-1)?.trim() ?? ''}`
  for (let step = 0; ; step++) {
    const choices = successors.get(word) ?? [corpusWords[prompt.length % corpusWords.length] ?? '']
    const visit = visits.get(word) ?? 0
    visits.set(word, visit + 1)
    const position = temperature > 0 ? Math.floor(seededRandom(seed + step) * choices.length) : visit % choices.length
    word = choices[position] ?? ''
    yield word
  }
}

import { chat, completion, embedding, rerank, tokens } from '@sallyport/core'
import type { Call, Capability, ChatChunk, ChatRequest, ErrorCode, LoadedModel } from '@sallyport/core'
import { compileOptions } from '@sallyport/kit/schemas'
import { collectChunks, recordingLogger, testCall } from '@sallyport/testing'
import { errorOf } from '@sallyport/stand-ins/errors'
import { OpenAIBackend } from '../../src/backend.js'
import { optionsSchema } from '../../src/options.js'
import type { UpstreamOptions } from '../../src/options.js'

/** Fills in the defaults, as the kernel does. */
export const optionsOf = (given: object): UpstreamOptions => compileOptions(optionsSchema)(given) as UpstreamOptions

/** Keeps what is logged. */
export const logBook = () => {
  const { logger, lines } = recordingLogger()
  return { logger, lines, text: () => JSON.stringify(lines) }
}

export type LogBook = ReturnType<typeof logBook>

/** A loaded model. */
export class Model {
  constructor(
    readonly backend: OpenAIBackend,
    readonly loaded: LoadedModel,
    readonly log: LogBook,
    /** What the backend has reported. */
    readonly states: readonly string[],
  ) {}

  service<Service extends object>(capability: Capability<Service>): Service {
    const provision = this.loaded.provides.find((one) => one.capability.token === capability.token)
    if (!provision) throw new Error(`the model does not provide ${capability.name}`)
    return provision.service as Service
  }

  chat = (request: Partial<ChatRequest> = {}, call: Partial<Call> = {}) =>
    this.service(chat).stream({ messages: [{ role: 'user', content: 'Hi' }], ...request }, testCall(call))

  /** What {@link answerOf} says of a chat. */
  answer = (request?: Partial<ChatRequest>, call?: Partial<Call>) => answerOf(this.chat(request, call))

  /** The error of the table that a chat ends with. */
  failure = (code?: ErrorCode, request?: Partial<ChatRequest>, call?: Partial<Call>) =>
    errorOf(collectChunks(this.chat(request, call)), code)

  complete = (prompt: string, more: object = {}, call: Partial<Call> = {}) =>
    this.service(completion).stream({ prompt, ...more }, testCall(call))

  get embedding() {
    return this.service(embedding)
  }

  get rerank() {
    return this.service(rerank)
  }

  get tokens() {
    return this.service(tokens)
  }

  async stop(): Promise<void> {
    await this.backend.stop()
  }
}

/** Short waits, so that tests of them are short. */
const impatient = { retries: { delay: 0.005, longest: 2 } }

const started = new Set<Model>()

/** @param directory where relative paths start */
export const backendFor = (options: object, log: LogBook, states: string[] = [], directory = '/') => {
  const spec = { id: 'big-model', options: optionsOf({ ...impatient, ...options }), files: {} }
  return new OpenAIBackend(spec, log.logger, directory, (state) => states.push(state))
}

export const loadModel = async (options: object, directory?: string): Promise<Model> => {
  const log = logBook()
  const states: string[] = []
  const backend = backendFor(options, log, states, directory)
  const model = new Model(backend, await backend.load(), log, states)
  started.add(model)
  return model
}

/** Stops what `loadModel` has loaded: for `afterEach`. */
export const stopModels = async (): Promise<void> => {
  const all = [...started]
  started.clear()
  await Promise.all(all.map((model) => model.stop()))
}

export { collectChunks }

/** The text, and the last piece. */
export const answerOf = async (pieces: AsyncIterable<ChatChunk>) => {
  const all = await collectChunks(pieces)
  const text = all.map((piece) => ('delta' in piece ? piece.delta : '')).join('')
  return { text, last: all.at(-1), pieces: all }
}

import { existsSync } from 'node:fs'
import { basename } from 'node:path'
import {
  chat,
  completion,
  embedding,
  failure,
  inject,
  injectable,
  logger,
  modelSpec,
  provide,
  tokens,
} from '@sallyport/core'
import type { LoadedModel, Logger, MemoryEstimate, ModelBackend, ModelSpec } from '@sallyport/core'
import { LlamaCppChat } from './chat.js'
import { LlamaCppCompletion } from './completion.js'
import { LlamaCppEmbedding } from './embedding.js'
import { Engine, engineMemory, engineShape, inspectModel } from './engine/engine.js'
import type { LlamaCppOptions } from './options.js'
import { ChatPrompt } from './template/chat-prompt.js'
import { promptFormat } from './template/prompt-format.js'
import { Renderer } from './template/renderer.js'
import { LlamaCppTokens } from './tokens.js'

/** One model from a GGUF file. */
@injectable()
export class LlamaCppBackend implements ModelBackend {
  private engine: Engine | undefined
  private renderer: Renderer | undefined
  private stopping: Promise<void> = Promise.resolve()

  constructor(
    @inject(modelSpec) private readonly spec: ModelSpec<LlamaCppOptions>,
    @inject(logger) private readonly logger: Logger,
  ) {}

  async load(): Promise<LoadedModel> {
    try {
      return await this.open()
    } catch (error) {
      await this.stop()
      throw error
    }
  }

  /** Frees what has been loaded so far. It may be called twice, and while the model is still being loaded. */
  stop(): Promise<void> {
    this.stopping = this.stopping.then(() => this.close())
    return this.stopping
  }

  private async close(): Promise<void> {
    const { engine, renderer } = this
    this.engine = undefined
    this.renderer = undefined
    await engine?.stop()
    await renderer?.stop()
  }

  private async open(): Promise<LoadedModel> {
    const { id, options } = this.spec
    const engine = await Engine.load({ ...options, id, path: modelFile(this.spec), logger: this.logger })
    this.engine = engine
    const { facts, vocabulary, embedder } = engine
    const { contextLength, parallel, generates } = engine.shape
    this.logger.debug({ contextLength, parallel, threads: engine.threads }, 'weights are loaded')
    const template = generates ? (options.chatTemplate ?? facts.chatTemplate) : undefined
    const chatService = template === undefined ? undefined : await this.createChat(engine, template)
    return {
      provides: [
        ...(chatService ? [provide(chat, chatService)] : []),
        ...(generates ? [provide(completion, new LlamaCppCompletion(engine))] : []),
        ...(embedder ? [provide(embedding, new LlamaCppEmbedding(embedder, vocabulary, options))] : []),
        provide(tokens, new LlamaCppTokens(vocabulary)),
      ],
      descriptor: {
        contextLength,
        parameters: facts.parameters,
        promptFormat: promptFormat(template),
        ...(facts.name === undefined ? {} : { description: facts.name }),
        ...(chatService ? { features: chatService.features } : {}),
      },
    }
  }

  private async createChat(engine: Engine, template: string): Promise<LlamaCppChat> {
    const { id, options } = this.spec
    const owner = options.chatTemplate === undefined ? basename(modelFile(this.spec)) : 'its options'
    const { parallel, contextLength } = engine.shape
    // every request that waits for a sequence, or has one, may wait here
    const queue = parallel + options.queue
    this.renderer = new Renderer({ model: id, template, origin: `the chat template of ${owner}`, queue })
    const prompt = new ChatPrompt(this.renderer, engine.vocabulary, contextLength)
    await prompt.start(template)
    return new LlamaCppChat(engine, prompt, this.logger)
  }
}

/** The path of the weights. @throws model_files */
const modelFile = ({ id, files }: ModelSpec): string => {
  const path = files['model']
  if (path !== undefined && existsSync(path)) return path
  const problem =
    path === undefined
      ? 'it has no file with the name "model"'
      : 'its file "model" is missing: put it back, or restart the server'
  throw failure('model_files', { model: id, problem })
}

/** Estimates the memory that the model will need, from its header alone. @throws model_invalid, model_files */
export const estimate = (spec: ModelSpec): Promise<MemoryEstimate> => {
  const facts = inspectModel(spec.id, modelFile(spec))
  return Promise.resolve(engineMemory(facts, engineShape(facts, spec.options as LlamaCppOptions)))
}

import { chat, failure, inject, injectable, kernel, modelSpec, otherModel, provide, translation } from '@sallyport/core'
import type {
  Call,
  ChatCapability,
  Kernel,
  LanguagePair,
  LoadedModel,
  ModelBackend,
  ModelSpec,
  Served,
} from '@sallyport/core'
import { mapBounded } from '@sallyport/kit/async'
import { EngineTranslation } from '../engine.js'
import type { Engine, Unfinished } from '../engine.js'
import { checkedTag, crossPairs } from '../pairs.js'
import { Sanity } from '../sanity/sanity.js'
import { translationIn } from './answer.js'
import type { ChatTranslationOptions } from './options.js'
import { promptFor } from './prompt.js'

type Spec = ModelSpec<ChatTranslationOptions>

/** The chat model and the languages of the options. @throws model_invalid */
export const partsOf = (spec: Spec, models: Kernel) => {
  const { id, options } = spec
  const model = otherModel(models, spec, 'chat', chat)
  const languages = options.languages.map((tag, index) => checkedTag(id, tag, ['languages', index]))
  return { model, pairs: crossPairs(languages, languages) }
}

/** Prompts a chat model to translate. It is reached through the kernel, so its requests are guarded. */
@injectable()
export class ChatTranslationBackend implements ModelBackend {
  constructor(
    @inject(modelSpec) private readonly spec: Spec,
    @inject(kernel) private readonly models: Kernel,
  ) {}

  async load(): Promise<LoadedModel> {
    const { id, options } = this.spec
    const { model, pairs } = partsOf(this.spec, this.models)
    const engine = new ChatEngine(() => this.largeEnough(model), pairs, options)
    return {
      provides: [provide(translation, new EngineTranslation(id, engine, await Sanity.load()))],
      descriptor: { description: `Translates by a prompt to ${options.chat}.` },
    }
  }

  /** @throws model_unavailable for a chat model with fewer parameters than the options ask for */
  private largeEnough(model: () => Served<ChatCapability>): Served<ChatCapability> {
    const { id, options } = this.spec
    const { parameters = Infinity } = this.models.describe(chat, options.chat) ?? {}
    if (parameters >= options.minParameters) return model()
    const problem =
      `its chat model ${options.chat} has ${inMillions(parameters)} parameters and would need ` +
      `${inMillions(options.minParameters)} to translate: configure a larger one, or install Apertium ` +
      '(core/bin/install-programs.sh)'
    throw failure('model_unavailable', { model: id, problem })
  }
}

/** @param count such as 134,515,008 */
const inMillions = (count: number): string => `${Math.round(count / 1e6).toLocaleString('en')} million`

class ChatEngine implements Engine {
  readonly maxLength: number
  readonly joinsSentences = true

  constructor(
    private readonly model: () => Served<ChatCapability>,
    readonly pairs: readonly LanguagePair[],
    private readonly options: Pick<ChatTranslationOptions, 'parallel' | 'longest'>,
  ) {
    this.maxLength = options.longest
  }

  translate(units: readonly string[], pair: LanguagePair, call: Call): Promise<(string | Unfinished)[]> {
    return mapBounded(units, this.options.parallel, async (unit) => {
      const { choices } = await this.model().generate(
        { messages: promptFor(unit, pair), temperature: 0, seed: 1, maxTokens: maxTokensFor(unit) },
        call,
      )
      const [answer] = choices
      const translation = translationIn(answer?.text ?? '', unit)
      return answer?.finish === 'length' ? { partial: translation } : translation
    })
  }
}

/** More than any translation needs; it ends models that do not stop by themselves. */
const maxTokensFor = (text: string): number => 48 + new TextEncoder().encode(text).length

import {
  failure,
  inference,
  inject,
  injectable,
  kernel,
  modelSpec,
  otherModel,
  provide,
  translation,
} from '@sallyport/core'
import type { Call, Kernel, LoadedModel, ModelBackend, ModelSpec, RequiredFiles } from '@sallyport/core'
import { EngineTranslation } from '../engine.js'
import { canonicalTag, checkedTag, crossPairs } from '../pairs.js'
import { Sanity } from '../sanity/sanity.js'
import { loadConfig } from './config.js'
import { decoderInputs } from './decoder.js'
import type { Graphs } from './decoder.js'
import { MarianEngine } from './engine.js'
import type { MarianOptions } from './options.js'
import { loadTokenizer } from './tokenizer.js'
import type { MarianTokenizer } from './tokenizer.js'

type Spec = ModelSpec<MarianOptions>

const optional = (name: string) => ({ names: [name], optional: true })

/** The files of a repository besides the graphs, which are models of their own. */
export const requiredFiles: RequiredFiles = {
  model: { names: ['config.json'] },
  'generation_config.json': optional('generation_config.json'),
  'source.spm': optional('source.spm'),
  'vocab.json': optional('vocab.json'),
  'tokenizer.json': optional('tokenizer.json'),
}

/** The graphs and the languages that the options name. @throws model_invalid */
export const partsOf = (spec: Spec, models: Kernel) => {
  const { id, options } = spec
  const tags = (name: 'sources' | 'targets') => options[name].map((tag, index) => checkedTag(id, tag, [name, index]))
  return {
    encoder: otherModel(models, spec, 'encoder', inference),
    decoder: otherModel(models, spec, 'decoder', inference),
    targets: tags('targets'),
    pairs: crossPairs(tags('sources'), tags('targets')),
  }
}

/** For `sallyport check`: checks all that needs no loaded graph. @throws model_invalid */
export const checkMarian = async (spec: Spec, models: Kernel): Promise<void> => {
  const { targets } = partsOf(spec, models)
  await loadConfig(spec.id, spec.files)
  prefixesOf(spec, targets, await loadTokenizer(spec.id, spec.files))
}

/** A Marian model whose graphs are models of another plugin, which it reaches through the kernel. */
@injectable()
export class MarianBackend implements ModelBackend {
  constructor(
    @inject(modelSpec) private readonly spec: Spec,
    @inject(kernel) private readonly models: Kernel,
  ) {}

  async load(): Promise<LoadedModel> {
    const { id, options, files } = this.spec
    const { encoder, decoder, pairs, targets } = partsOf(this.spec, this.models)
    const config = await loadConfig(id, files)
    const tokenizer = await loadTokenizer(id, files)
    const prefixes = prefixesOf(this.spec, targets, tokenizer)
    const { beams, lengthPenalty, batch } = options
    const graphs = async (call: Call): Promise<Graphs> => {
      const inputs = decoderInputs(await decoder().signature({}, call), { model: id, ...config })
      return { encoder, decoder, padId: config.padId, ...inputs }
    }
    const engine = new MarianEngine({ tokenizer, config, graphs, pairs, prefixes, beams, lengthPenalty, batch })
    return { provides: [provide(translation, new EngineTranslation(id, engine, await Sanity.load()))] }
  }
}

/** The ids of the tokens that select a target language, in models that have them. @throws model_invalid */
const prefixesOf = (
  { id, options }: Spec,
  targets: readonly string[],
  tokenizer: MarianTokenizer,
): ReadonlyMap<string, number> => {
  const known = tokenizer.languageTokens
  const prefixes = new Map<string, number>()
  for (const target of targets) {
    const token = prefixFor(target, options.prefixes) ?? known.find((one) => languageOf(one) === target)
    if (token !== undefined) prefixes.set(target, tokenizer.idOf(id, token))
    else if (known.length > 0) {
      const problem = `its vocabulary has tokens for target languages (${known.slice(0, 8).join(', ')}), and none for ${target}: name one under prefixes`
      throw failure('model_invalid', { model: id, problem, option: ['targets', targets.indexOf(target)] })
    }
  }
  return prefixes
}

const prefixFor = (target: string, prefixes: MarianOptions['prefixes']): string | undefined =>
  Object.entries(prefixes).find(([tag]) => canonicalTag(tag) === target)?.[1]

/** The tag of a language token: `de` for `>>deu<<`, `zh-Hans` for `>>cmn_Hans<<`. */
const languageOf = (token: string): string | undefined => canonicalTag(token.slice(2, -2).replaceAll('_', '-'))

import { definePlugin, translation } from '@sallyport/core'
import type { ModelSpec } from '@sallyport/core'
import { ApertiumBackend, checkApertium } from './apertium/backend.js'
import { apertiumOptionsSchema } from './apertium/options.js'
import type { ApertiumOptions } from './apertium/options.js'
import { ChatTranslationBackend, partsOf as chatParts } from './chat/backend.js'
import { chatOptionsSchema } from './chat/options.js'
import type { ChatTranslationOptions } from './chat/options.js'
import { ComposedBackend } from './composed/backend.js'
import { modelsOf } from './composed/parts.js'
import { optionsSchema } from './composed/options.js'
import type { TranslationOptions } from './composed/options.js'
import { checkMarian, MarianBackend, requiredFiles } from './marian/backend.js'
import { marianOptionsSchema } from './marian/options.js'
import { MarianPairsBackend, pairsOf } from './marian-pairs/backend.js'
import { marianPairsOptionsSchema } from './marian-pairs/options.js'
import type { MarianPairsOptions } from './marian-pairs/options.js'

export type { ApertiumOptions } from './apertium/options.js'
export type { ChatTranslationOptions } from './chat/options.js'
export type { EngineOrder, TranslationOptions } from './composed/options.js'
export type { MarianOptions } from './marian/options.js'
export type { MarianPairsOptions } from './marian-pairs/options.js'

/** Translation by several engines, each a model of its own, and one that is composed of them. */
export default definePlugin({
  name: '@sallyport/translation',
  backends: {
    translation: {
      description: 'Other models with translation, asked in order; broken output is vetoed.',
      options: optionsSchema,
      capabilities: [translation],
      class: ComposedBackend,
      files: 'none',
      check: (model: ModelSpec<TranslationOptions>, kernel) => void modelsOf(model, kernel),
    },
    'chat-translation': {
      description: 'A chat model with a prompt to translate.',
      options: chatOptionsSchema,
      capabilities: [translation],
      class: ChatTranslationBackend,
      files: 'none',
      check: (model: ModelSpec<ChatTranslationOptions>, kernel) => void chatParts(model, kernel),
    },
    marian: {
      description: 'A Marian model (opus-mt) whose two graphs are models with inference.',
      options: marianOptionsSchema,
      capabilities: [translation],
      class: MarianBackend,
      files: requiredFiles,
      check: checkMarian,
    },
    'marian-pairs': {
      description: 'Marian models (opus-mt) of many pairs, each fetched and loaded when it is first asked for.',
      options: marianPairsOptionsSchema,
      capabilities: [translation],
      class: MarianPairsBackend,
      files: 'none',
      check: (model: ModelSpec<MarianPairsOptions>) => void pairsOf(model),
    },
    apertium: {
      description: 'The pairs of the Apertium that is installed on this machine.',
      options: apertiumOptionsSchema,
      capabilities: [translation],
      class: ApertiumBackend,
      files: 'none',
      programs: ({ options }) => [
        { name: (options as ApertiumOptions).program, without: 'this model knows no pair, or fails the start' },
      ],
      check: checkApertium,
    },
  },
})

import { chat, completion, embedding, tokens, silentLogger } from '@sallyport/core'
import type { Capability, ModelSpec } from '@sallyport/core'
import { runConformance } from '@sallyport/testing'
import { useTemporaryDirectory } from '@sallyport/stand-ins/temporary'
import { LlamaCppBackend } from '../src/backend.js'
import type { LlamaCppOptions } from '../src/options.js'
import { loadOptions } from './support/fixtures.js'
import { parrot } from './support/parrot.js'

/** Each word is a token. */
const alphabet =
  'alpha bravo charlie delta echo foxtrot golf hotel india juliett kilo lima mike november oscar papa quebec romeo ' +
  'sierra tango uniform victor whiskey xray yankee zulu'
const things =
  'apple boat cave drum egg fern glove harp ink jewel kite lamp moon nest owl pearl queen rope sand tulip urn vase ' +
  'wolf xenon yarn zinc'
const wordsOf = (text: string) => text.split(' ').map((word) => `${word} `)

const callEnd = '"}}\n</tool_call>'
/**
 * Two answers, chosen by the last byte of the prompt, each longer than the cases ask for. Within a call they end it;
 * where more than a city is demanded, the arguments of the third do.
 */
const sayings = [
  { after: '?', chunks: [...wordsOf(alphabet), callEnd] },
  { after: '{', chunks: ['"city": "Berlin", "days": 3, "unit": "', `celsius${callEnd}`] },
  { chunks: [...wordsOf(things), `.${callEnd}`] },
]
const contextLength = 2048
const facts = { contextLength, prompts: ['How do you spell?', 'Name things!'], abortWithin: 500 } as const
const chatFacts = { ...facts, features: { tools: true } }

describe('llama.cpp', () => {
  const { write: file } = useTemporaryDirectory()

  const serviceOf = async <Service extends object>(capability: Capability<Service>, model: Uint8Array) => {
    const options = { ...loadOptions, contextLength, parallel: 4 }
    const spec: ModelSpec<LlamaCppOptions> = { id: 'parrot', files: { model: file('model.gguf', model) }, options }
    const backend = new LlamaCppBackend(spec, silentLogger)
    const { provides } = await backend.load()
    const service = provides.find((provision) => provision.capability.name === capability.name)?.service as Service
    return { service, dispose: () => backend.stop() }
  }

  const generating = () => parrot(sayings, { contextLength: 4096 })

  runConformance(chat, { create: () => serviceOf(chat, generating()), facts: chatFacts })
  runConformance(completion, { create: () => serviceOf(completion, generating()), facts })
  runConformance(tokens, { create: () => serviceOf(tokens, generating()) })
  runConformance(embedding, {
    create: () => serviceOf(embedding, parrot(sayings, { contextLength: 4096, forEmbeddings: true })),
    facts: { contextLength },
  })
})

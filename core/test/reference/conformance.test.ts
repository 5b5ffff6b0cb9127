import { capabilities } from '../../src/capabilities/index.js'
import { runConformance } from '../../src/conformance/index.js'
import type { Capability } from '../../src/capabilities/index.js'
import { references } from './references.js'
import type { Reference } from './references.js'

const conforms = <Service extends object>(
  capability: Capability<Service>,
  { create, facts }: Reference<Service>,
): void => runConformance(capability, { create: () => Promise.resolve(create()), facts })

conforms(capabilities.chat, references.chat)
conforms(capabilities.completion, references.completion)
conforms(capabilities.embedding, references.embedding)
conforms(capabilities.rerank, references.rerank)
conforms(capabilities.tokens, references.tokens)
conforms(capabilities.transcription, references.transcription)
conforms(capabilities.extraction, references.extraction)
conforms(capabilities.translation, references.translation)
conforms(capabilities.injection, references.injection)
conforms(capabilities.pii, references.pii)
conforms(capabilities.toxicity, references.toxicity)
conforms(capabilities.factuality, references.factuality)
conforms(capabilities.tools, references.tools)
conforms(capabilities.textClassification, references.textClassification)
conforms(capabilities.tokenClassification, references.tokenClassification)
conforms(capabilities.imageClassification, references.imageClassification)
conforms(capabilities.inference, references.inference)

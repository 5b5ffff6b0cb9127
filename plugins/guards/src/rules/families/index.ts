import type { Family } from '../family.js'
import { addressedModel } from './addressed-model.js'
import { concealment } from './concealment.js'
import { encodedOrder } from './encoded-order.js'
import { exfiltration } from './exfiltration.js'
import { fakeAuthority } from './fake-authority.js'
import { falseEnd } from './false-end.js'
import { newInstructions } from './new-instructions.js'
import { noRefusal } from './no-refusal.js'
import {
  extractionInOtherLanguages,
  otherLanguages,
  personaInOtherLanguages,
  safetyOffInOtherLanguages,
} from './other-languages.js'
import { override } from './override.js'
import { promptExtraction } from './prompt-extraction.js'
import { safetyOff } from './safety-off.js'
import { specialMode } from './special-mode.js'
import { templateMarks } from './template-marks.js'
import { unrestrictedPersona } from './unrestricted-persona.js'

/** What attacks on instructions look like. */
export const families: readonly Family[] = [
  override,
  newInstructions,
  promptExtraction,
  unrestrictedPersona,
  noRefusal,
  specialMode,
  safetyOff,
  fakeAuthority,
  addressedModel,
  exfiltration,
  concealment,
  falseEnd,
  templateMarks,
  encodedOrder,
  otherLanguages,
  extractionInOtherLanguages,
  personaInOtherLanguages,
  safetyOffInOtherLanguages,
]

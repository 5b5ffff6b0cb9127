/** For every case of every capability a fault that it must find. */

import { chatFaults } from './faults/chat.js'
import {
  imageClassificationFaults,
  textClassificationFaults,
  tokenClassificationFaults,
} from './faults/classification.js'
import { completionFaults } from './faults/completion.js'
import { factualityFaults, injectionFaults, toxicityFaults } from './faults/detectors.js'
import { embeddingFaults } from './faults/embedding.js'
import { extractionFaults } from './faults/extraction.js'
import { inferenceFaults } from './faults/inference.js'
import { piiFaults } from './faults/pii.js'
import { rerankFaults } from './faults/rerank.js'
import { tokensFaults } from './faults/tokens.js'
import { toolsFaults } from './faults/tools.js'
import { transcriptionFaults } from './faults/transcription.js'
import { translationFaults } from './faults/translation.js'
import type { Planted } from './plant.js'

export const faults: readonly Planted[] = [
  chatFaults,
  completionFaults,
  embeddingFaults,
  rerankFaults,
  tokensFaults,
  transcriptionFaults,
  extractionFaults,
  translationFaults,
  injectionFaults,
  piiFaults,
  toxicityFaults,
  factualityFaults,
  toolsFaults,
  textClassificationFaults,
  tokenClassificationFaults,
  imageClassificationFaults,
  inferenceFaults,
]

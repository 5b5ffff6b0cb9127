/** Models in the place of PP-OCR's: there is one line on every image, and it says the same. */

import type { InferenceCapability, Served, Tensor } from '@sallyport/core'
import type { PpOcrModels } from '../../src/ocr/pp-ocr/pp-ocr-engine.js'
import { floatTensor } from '../../src/ocr/pp-ocr/resample.js'

type Inputs = Parameters<Served<InferenceCapability>['run']>[0]['inputs']

const model = (characters: string, output: (shape: readonly number[]) => Tensor): Served<InferenceCapability> => ({
  run: ({ inputs }: { inputs: Inputs }) => Promise.resolve({ outputs: { y: output(inputs['x']?.shape ?? []) } }),
  signature: () => Promise.resolve({ inputs: [], outputs: [], metadata: { character: characters } }),
})

const lineAt = { left: 100, right: 400, top: 100, bottom: 120 }

const detected = ([, , rows = 0, columns = 0]: readonly number[]): Tensor => {
  const map = new Float32Array(rows * columns)
  for (let row = lineAt.top; row < lineAt.bottom; row++)
    map.fill(1, row * columns + lineAt.left, row * columns + lineAt.right)
  return floatTensor([1, 1, rows, columns], map)
}

/** @param text of characters that differ from their neighbours */
export const modelsThatRead = (text: string): PpOcrModels => {
  const characters = [...new Set(text)]
  const classes = characters.length + 2
  const recognised = ([count = 0]: readonly number[]): Tensor => {
    const probabilities = new Float32Array(count * text.length * classes)
    for (let step = 0; step < count * text.length; step++)
      probabilities[step * classes + characters.indexOf(text[step % text.length] ?? '') + 1] = 1
    return floatTensor([count, text.length, classes], probabilities)
  }
  return {
    detector: () => model('', detected),
    recogniser: () => model(characters.join('\n'), recognised),
  }
}

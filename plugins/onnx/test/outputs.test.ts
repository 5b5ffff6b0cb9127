/** Models whose outputs are not what their files say, or what was asked for. */

import { isSallyportError } from '@sallyport/core'
import { buildOnnx } from '@sallyport/weights'
import { expect } from 'chai'
import { backendOf, temporaryFiles } from './support/loading.js'
import type { FileContents } from './support/loading.js'
import { tinyClassifier } from './support/tiny-models.js'
import { matrix } from './support/tiny-parts.js'
import { wordPiece } from './support/tokenizers.js'

const tiny = { vocabulary: 80, hidden: 8, positions: 64 }
const tokenizer = { 'tokenizer.json': wordPiece }

/** Gives the same logits for whatever it reads, though its file declares two for each text. */
const constant = (logits: readonly (readonly number[])[], batch: number | 'batch' = 'batch') =>
  buildOnnx({
    inputs: [{ name: 'input_ids', type: 'INT64', shape: [batch, 'sequence'] }],
    outputs: [{ name: 'logits', type: 'FP32', shape: ['batch', 2] }],
    nodes: [{ op: 'Identity', inputs: ['constant'], outputs: ['logits'] }],
    initializers: { constant: matrix(logits) },
  })

describe('outputs that cannot be right', () => {
  const write = temporaryFiles()
  const wrong: readonly [string, FileContents, RegExp][] = [
    [
      'two outputs with one label',
      { model: tinyClassifier(2, tiny).bytes, ...tokenizer, 'config.json': { id2label: { 0: 'BAD', 1: 'BAD' } } },
      /model tiny: two labels of its config\.json are "BAD": give each output one of its own in id2label/,
    ],
    [
      'logits beside those that it declares',
      { model: constant([[-5, -5, -5]], 1), ...tokenizer },
      /model tiny: its output "logits" has rows of 3 numbers, and its file declares 2: export it again/,
    ],
    [
      'more rows than texts',
      { model: constant(Array.from({ length: 9 }, () => [-5, 5])), ...tokenizer },
      /model tiny: its output "logits" has the shape \[9, 2\] and not \[1, 2\]: export it again/,
    ],
    [
      'fewer rows than texts',
      { model: constant([[-5, 5]]), ...tokenizer },
      /model tiny: its output "logits" has the shape \[1, 2\] and not \[7, 2\]: export it again/,
    ],
    ...[
      [NaN, NaN],
      [5, NaN],
      [Infinity, 0],
    ].map((logits): (typeof wrong)[number] => [
      `the logits ${logits.join(' and ')}`,
      { model: constant([logits], 1), ...tokenizer },
      /model tiny: its output "logits" gives numbers that are not finite: export it again, .* \(FP32\)/,
    ]),
  ]
  for (const [name, files, message] of wrong)
    it(`are refused before a text is read: ${name}`, async () => {
      const backend = backendOf(write(files))
      const error: unknown = await backend.load().catch((reason: unknown) => reason)
      await backend.stop()
      if (!isSallyportError(error)) throw new Error('the model was loaded')
      expect(error.code).to.equal('model_invalid')
      expect(error.message).to.match(message)
    })
})

/** Inputs that are too long, and vectors that are to be shorter. */

import assert from 'node:assert/strict'
import type { EmbeddingCapability, EmbeddingRequest } from '@sallyport/core'
import { needs } from './case.js'
import type { ConformanceCase } from './case.js'
import { rejectsWith, testCall, valueUnless } from './support.js'
import { assertSameVector, cosine, norm, shortened } from './vectors.js'

export const embedOne = async (service: EmbeddingCapability, text: string, more: Partial<EmbeddingRequest> = {}) => {
  const { vectors } = await service.embed({ inputs: [{ text }], ...more }, testCall())
  return vectors[0] ?? assert.fail('no vector came')
}

const needsContext = needs('contextLength', ({ contextLength }) => contextLength)

export const embeddingLimitCases: readonly ConformanceCase<EmbeddingCapability>[] = [
  {
    name: 'a text over the context is refused with context_exceeded, and named',
    inapplicable: needsContext,
    async run(service, { contextLength = 0 }) {
      const inputs = [{ text: 'short' }, { text: 'word '.repeat(contextLength + 16) }]
      const { details } = await rejectsWith(service.embed({ inputs }, testCall()), 'context_exceeded')
      assert.equal(details['field'], 'inputs[1]')
    },
  },
  {
    name: 'truncate right keeps the beginning',
    inapplicable: needsContext,
    async run(service, { contextLength = 0 }) {
      const beginning = 'apple '.repeat(contextLength)
      const [one, two] = [`${beginning}railway timetable`, `${beginning}${'quantum physics '.repeat(40)}`]
      assertSameVector(
        await embedOne(service, one, { truncate: 'right' }),
        await embedOne(service, two, { truncate: 'right' }),
      )
    },
  },
  {
    name: 'truncate left keeps the end',
    inapplicable: needsContext,
    async run(service, { contextLength = 0 }) {
      const end = ' apple'.repeat(contextLength)
      const [one, two] = [`railway timetable${end}`, `${'quantum physics '.repeat(40)}${end}`]
      assertSameVector(
        await embedOne(service, one, { truncate: 'left' }),
        await embedOne(service, two, { truncate: 'left' }),
      )
    },
  },
  {
    name: 'truncate left and right keep different ends',
    inapplicable: needsContext,
    async run(service, { contextLength = 0 }) {
      const text = 'apple '.repeat(contextLength) + 'railway '.repeat(contextLength)
      const [left, right] = [
        await embedOne(service, text, { truncate: 'left' }),
        await embedOne(service, text, { truncate: 'right' }),
      ]
      assert.ok(cosine(left, right) < 0.999, 'both directions keep the same')
    },
  },
  {
    name: 'truncate leaves texts that fit as they are',
    async run(service) {
      const text = 'A text that fits.'
      for (const truncate of ['left', 'right'] as const)
        assertSameVector(await embedOne(service, text, { truncate }), await embedOne(service, text))
    },
  },
  {
    name: 'shorter vectors are the first components with unit length, or refused with unsupported',
    async run(service) {
      const full = await embedOne(service, 'The cat sat on the mat.')
      const dimensions = Math.floor(full.length / 2)
      const short = await valueUnless(embedOne(service, 'The cat sat on the mat.', { dimensions }), 'unsupported')
      if (!short) return
      assert.equal(short.length, dimensions)
      assert.ok(Math.abs(norm(short) - 1) < 1e-3, `the length is ${norm(short)}`)
      assertSameVector(short, shortened(full, dimensions))
    },
  },
  {
    name: 'more dimensions than the model has are refused',
    async run(service) {
      const full = await embedOne(service, 'The cat sat on the mat.')
      const more = embedOne(service, 'The cat sat on the mat.', { dimensions: full.length + 1 })
      await rejectsWith(more, 'unsupported', 'invalid_request')
    },
  },
]

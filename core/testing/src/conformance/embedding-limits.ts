/** Cases of inputs that exceed the context, and of shortened vectors. */

import assert from 'node:assert/strict'
import type { EmbeddingCapability, EmbeddingRequest } from '@sallyport/core'
import { cosine, normalised } from '@sallyport/kit/numbers'
import { cases, needs } from './case.js'
import type { ConformanceCase } from './case.js'
import { rejectsWith, testCall, valueUnless } from './support.js'

export const embedOne = async (service: EmbeddingCapability, text: string, more: Partial<EmbeddingRequest> = {}) => {
  const { vectors } = await service.embed({ inputs: [{ text }], ...more }, testCall())
  return vectors[0] ?? assert.fail('no vector came')
}

const needsContext = needs('contextLength')

export const embeddingLimitCases: readonly ConformanceCase<EmbeddingCapability>[] = [
  ...cases<EmbeddingCapability>(
    {
      'a text over the context is refused with context_exceeded, and named': async (service, { contextLength = 0 }) => {
        const inputs = [{ text: 'short' }, { text: 'word '.repeat(contextLength + 16) }]
        const { details } = await rejectsWith(service.embed({ inputs }, testCall()), 'context_exceeded')
        assert.equal(details['field'], 'inputs[1]')
      },
      'truncate right keeps the beginning': async (service, { contextLength = 0 }) => {
        const beginning = 'apple '.repeat(contextLength)
        const [one, two] = [`${beginning}railway timetable`, `${beginning}${'quantum physics '.repeat(40)}`]
        assertSameVector(
          await embedOne(service, one, { truncate: 'right' }),
          await embedOne(service, two, { truncate: 'right' }),
        )
      },
      'truncate left keeps the end': async (service, { contextLength = 0 }) => {
        const end = ' apple'.repeat(contextLength)
        const [one, two] = [`railway timetable${end}`, `${'quantum physics '.repeat(40)}${end}`]
        assertSameVector(
          await embedOne(service, one, { truncate: 'left' }),
          await embedOne(service, two, { truncate: 'left' }),
        )
      },
      'truncate left and right keep different ends': async (service, { contextLength = 0 }) => {
        const text = 'apple '.repeat(contextLength) + 'railway '.repeat(contextLength)
        const [left, right] = [
          await embedOne(service, text, { truncate: 'left' }),
          await embedOne(service, text, { truncate: 'right' }),
        ]
        assert.ok(cosine(left, right) < 0.999, 'both directions keep the same')
      },
    },
    needsContext,
  ),
  ...cases<EmbeddingCapability>({
    'truncate leaves texts that fit as they are': async (service) => {
      const text = 'A text that fits.'
      for (const truncate of ['left', 'right'] as const)
        assertSameVector(await embedOne(service, text, { truncate }), await embedOne(service, text))
    },
    'shorter vectors are the first components with unit length, or refused with unsupported': async (service) => {
      const full = await embedOne(service, 'The cat sat on the mat.')
      const dimensions = Math.floor(full.length / 2)
      const short = await valueUnless(embedOne(service, 'The cat sat on the mat.', { dimensions }), 'unsupported')
      if (!short) return
      assert.equal(short.length, dimensions)
      assertUnitLength(short)
      assertSameVector(short, normalised(full.slice(0, dimensions)))
    },
    'more dimensions than the model has are refused': async (service) => {
      const full = await embedOne(service, 'The cat sat on the mat.')
      const more = embedOne(service, 'The cat sat on the mat.', { dimensions: full.length + 1 })
      await rejectsWith(more, 'unsupported', 'invalid_request')
    },
  }),
]

export const assertUnitLength = (vector: Float32Array): void => {
  const length = Math.hypot(...vector)
  assert.ok(Math.abs(length - 1) < 1e-3, `the length is ${length}`)
}

/** Asserts that two vectors are equal except for rounding, which depends on the other inputs of a batch. */
export const assertSameVector = (actual: Float32Array | undefined, expected: Float32Array | undefined): void => {
  if (!actual || !expected) assert.fail('a vector is missing')
  assert.equal(actual.length, expected.length)
  const similarity = cosine(actual, expected)
  assert.ok(similarity > 0.9999, `the vectors differ: their cosine is ${similarity}`)
}

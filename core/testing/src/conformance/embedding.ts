import assert from 'node:assert/strict'
import type { EmbeddingCapability, EmbeddingRequest } from '@sallyport/core'
import { cosine } from '@sallyport/kit/numbers'
import { callCases } from './call-cases.js'
import { cases } from './case.js'
import type { ConformanceCase } from './case.js'
import { assertSameVector, assertUnitLength, embedOne, embeddingLimitCases } from './embedding-limits.js'
import { png } from './images.js'
import { loneSurrogates, unusualTexts } from './samples.js'
import { rejectsWith, testCall, valueUnless } from './support.js'

const cat = 'The cat sat on the mat.'
const revenue = 'Revenue of the Brazilian subsidiary grew by seven percent in the third quarter.'

const texts = [
  cat,
  revenue,
  'a',
  'Wie komme ich zum Bahnhof?',
  'A long text takes more room than its neighbours. '.repeat(6),
  '日本語の文章です。',
]

const textsRequest = (...inputs: readonly string[]): EmbeddingRequest => ({ inputs: inputs.map((text) => ({ text })) })

const assertFinite = (vector: Float32Array, what = 'a vector'): void =>
  assert.ok(vector.every(Number.isFinite), `${what} holds a value that is not a finite number`)

const embedAll = (service: EmbeddingCapability, request: EmbeddingRequest) => service.embed(request, testCall())

export const embeddingCases: readonly ConformanceCase<EmbeddingCapability>[] = [
  ...callCases<EmbeddingCapability, EmbeddingRequest, { vectors: Float32Array[] }>({
    method: 'embed',
    request: (_, which) => textsRequest(which ? revenue : cat),
    invoke: (service, request, call) => service.embed(request, call),
    assertSame: (actual, expected) => {
      assert.equal(actual.vectors.length, expected.vectors.length)
      for (const [index, vector] of actual.vectors.entries()) assertSameVector(vector, expected.vectors[index])
    },
  }),
  ...cases<EmbeddingCapability>({
    'there is one vector per input, all of one length, of finite numbers': async (service, { dimensions }) => {
      const { vectors } = await embedAll(service, textsRequest(...texts))
      assert.equal(vectors.length, texts.length)
      for (const vector of vectors) {
        assert.equal(Object.prototype.toString.call(vector), '[object Float32Array]')
        assert.equal(vector.length, dimensions ?? vectors[0]?.length)
        assertFinite(vector)
      }
    },
    'a batch equals its texts one by one, in order': async (service) => {
      const { vectors } = await embedAll(service, textsRequest(...texts))
      for (const [index, text] of texts.entries()) assertSameVector(vectors[index], await embedOne(service, text))
    },
    'every token of every input counts': async (service) => {
      const [one, two] = [textsRequest(cat), textsRequest(cat, cat)]
      const single = (await embedAll(service, one)).promptTokens
      assert.ok(single > 0, 'no token was counted')
      assert.equal((await embedAll(service, two)).promptTokens, 2 * single)
    },
    'similar texts are nearer to each other than different ones': async (service) => {
      const one = await embedOne(service, cat)
      const near = cosine(one, await embedOne(service, 'A cat is sitting on the mat.'))
      const far = cosine(one, await embedOne(service, revenue))
      assert.ok(near > far, `the similar text has ${near}, the different one ${far}`)
    },
    'queries and documents are taken': async (service) => {
      for (const inputType of ['query', 'document'] as const) assertFinite(await embedOne(service, cat, { inputType }))
    },
    'an empty list has no vectors': async (service) => {
      const result = await valueUnless(embedAll(service, textsRequest()), 'invalid_request')
      if (result) assert.deepEqual({ ...result }, { vectors: [], promptTokens: 0 })
    },
    'an empty text has a finite vector, or is refused': async (service) => {
      const vector = await valueUnless(embedOne(service, ''), 'invalid_request')
      if (vector) assertFinite(vector)
    },
    'unusual texts have finite vectors': async (service) => {
      for (const text of [...Object.values(unusualTexts), loneSurrogates])
        assertFinite(await embedOne(service, text), `the vector of ${JSON.stringify(text)}`)
    },
    'token ids decide about the vector, or are refused with unsupported': async (service, { normalised }) => {
      const request: EmbeddingRequest = { inputs: [{ tokens: [5, 6, 7, 8] }, { tokens: [20, 18, 17] }] }
      const result = await valueUnless(embedAll(service, request), 'unsupported')
      if (!result) return
      const [one, other] = result.vectors
      if (!one || !other || result.vectors.length > 2) assert.fail(`${result.vectors.length} vectors came for 2 inputs`)
      const [text] = (await embedAll(service, textsRequest(cat))).vectors
      for (const vector of [one, other]) {
        assert.equal(vector.length, text?.length)
        assertFinite(vector)
        if (normalised !== false) assertUnitLength(vector)
      }
      assert.ok(cosine(one, other) < 0.9999, 'different ids have the same vector')
    },
    'token ids outside the vocabulary are one unknown token, or all are refused with unsupported': async (service) => {
      const lists = [[7], [2147483647], [2147483646]].map((last) => ({ tokens: [5, 6, ...last] }))
      const result = await valueUnless(embedAll(service, { inputs: lists }), 'unsupported')
      if (!result) return
      const [known, one, other] = result.vectors
      if (!known || !one || !other) assert.fail(`${result.vectors.length} vectors came for 3 inputs`)
      assert.ok(cosine(one, other) > 0.9999, 'two ids outside the vocabulary have different vectors')
      assert.ok(cosine(one, known) < 0.9999, 'an id outside the vocabulary has the vector of another one')
    },
    'an invalid token id is refused, and named, or all are refused with unsupported': async (service) => {
      for (const id of [-1, 0.5]) {
        const request: EmbeddingRequest = { inputs: [{ tokens: [5, 6, 7] }, { tokens: [5, 6, id] }] }
        const { code, details } = await rejectsWith(embedAll(service, request), 'invalid_request', 'unsupported')
        if (code === 'invalid_request') assert.equal(details['field'], 'inputs[1].tokens[2]')
      }
    },
  }),
  ...cases<EmbeddingCapability>(
    {
      'vectors have unit length': async (service) => {
        const { vectors } = await embedAll(service, textsRequest(...texts))
        for (const vector of vectors) assertUnitLength(vector)
      },
    },
    ({ normalised }) => (normalised === false ? 'the model does not normalise' : undefined),
  ),
  ...cases<EmbeddingCapability>(
    {
      'an image is refused with unsupported by a model without vision': (service) =>
        rejectsWith(embedAll(service, { inputs: [{ image: png, mediaType: 'image/png' }] }), 'unsupported'),
    },
    ({ features }) => (features?.image ? 'the model takes images' : undefined),
  ),
  ...cases<EmbeddingCapability>(
    {
      'an image has a vector of the same length as a text': async (service) => {
        const { vectors } = await embedAll(service, {
          inputs: [{ image: png, mediaType: 'image/png' }, { text: 'red' }],
        })
        assert.equal(vectors[0]?.length, vectors[1]?.length)
      },
    },
    ({ features }) => (features?.image ? undefined : 'the model takes no images'),
  ),
  ...embeddingLimitCases,
]

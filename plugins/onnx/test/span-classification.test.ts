import { expect } from 'chai'
import fc from 'fast-check'
import { tokenClassification } from '@sallyport/core'
import { runConformance, testCall } from '@sallyport/testing'
import { check } from '../src/check.js'
import { scoredSpans, withoutOverlaps } from '../src/span-classification/decode-spans.js'
import { spanInputs } from '../src/span-classification/span-inputs.js'
import { failureOf } from '@sallyport/stand-ins/errors'
import { defaults, load, temporaryFiles } from './support/loading.js'
import type { FileContents } from './support/loading.js'
import { tinySpanClassifier } from './support/tiny-models.js'
import { encode, tokenizerOf, wordPieceWithPrompt } from './support/tokenizers.js'

const labels = ['the fox', 'unwanted', 'cafe']
const width = 3
const [labelId, separatorId] = [71, 72]
const tiny = tinySpanClassifier(width, labelId, { vocabulary: 80, positions: 600, seed: 3 })

/** As published: no config.json with positions, the limits in gliner_config.json. */
const files: FileContents = {
  model: tiny.bytes,
  'tokenizer.json': wordPieceWithPrompt,
  'gliner_config.json': {
    max_width: width,
    max_len: 40,
    model_name: 'microsoft/deberta-v3-small',
    span_mode: 'markerV0',
  },
}

const tokenizer = tokenizerOf(wordPieceWithPrompt, 600)
const idsOf = async (text: string) => (await encode(tokenizer, text)).ids.slice(1, -1)

/** The words of these tests, by hand: letters, or one sign. */
const wordsOf = (text: string) =>
  Array.from(text.matchAll(/\p{L}+|[^\s\p{L}]/gu), ({ 0: word, index }) => ({
    word,
    start: index,
    end: index + word.length,
  }))

/** What the model says of a text that it reads at once. */
const expectedSpans = async (text: string) => {
  const [ids, numbers]: [number[], number[]] = [[2], [0]]
  const add = (some: readonly number[], number: number) => {
    for (const [index, id] of some.entries()) {
      ids.push(id)
      numbers.push(index ? 0 : number)
    }
  }
  for (const label of labels) add([labelId, ...(await idsOf(label))], 0)
  add([separatorId], 0)
  const words = wordsOf(text)
  for (const [index, { word }] of words.entries()) add(await idsOf(word), index + 1)
  add([3], 0)
  const spans = tiny.expected({ ids, words: numbers }).flatMap((byWidth, first) =>
    byWidth.flatMap((logits, more) => {
      const best = Math.max(...logits)
      const span = { label: labels[logits.indexOf(best)]!, start: words[first]!.start, end: words[first + more]!.end }
      return best > 0 ? [{ ...span, score: 1 / (1 + Math.exp(-best)) }] : []
    }),
  )
  const kept: typeof spans = []
  for (const span of spans.toSorted((a, b) => b.score - a.score))
    if (kept.every(({ start, end }) => span.end <= start || end <= span.start)) kept.push(span)
  return kept.toSorted((a, b) => a.start - b.start)
}

describe('a GLiNER model', () => {
  const write = temporaryFiles()
  const open = (more: FileContents = {}, options = {}) => load(write({ ...files, ...more }), { labels, ...options })

  it('finds the spans that it scores highest, by the names of labels that it gets with the text', async () => {
    const model = await open()
    const texts = [
      'the quick fox, unwanted',
      'Café!',
      '',
      '👍 the unwanted fox the quick cafe. zzz',
      'fox <<ENT>> the <<SEP>> fox',
    ]
    const { spans } = await model.service(tokenClassification).classify({ texts }, testCall())
    await model.stop()
    expect(spans.flat()).to.have.length.above(4)
    for (const [index, text] of texts.entries()) {
      const expected = text ? await expectedSpans(text) : []
      const places = (all: readonly { label: string; start: number; end: number }[]) =>
        all.map(({ label, start, end }) => ({ label, start, end }))
      expect(places(spans[index]!), text).to.deep.equal(places(expected))
      for (const [at, { score }] of spans[index]!.entries()) expect(score).to.be.closeTo(expected[at]!.score, 1e-5)
    }
  })

  it('reads a text of any length, and finds nothing twice', async () => {
    const model = await open()
    const text = 'the quick fox, unwanted café! '.repeat(80)
    const { spans } = await model.service(tokenClassification).classify({ texts: [text] }, testCall())
    await model.stop()
    const found = spans[0]!
    expect(found.at(0)!.start).to.be.below(60)
    expect(found.at(-1)!.end).to.be.above(text.length - 60)
    for (const [index, { start, end }] of found.entries()) {
      expect(text.slice(start, end)).to.match(/^\S(?:.*\S)?$/)
      expect(start).to.be.at.least(found[index - 1]?.end ?? 0)
    }
  })

  it('looks for people, places and organisations where nothing else is said', async () => {
    const model = await load(write(files))
    const { spans } = await model
      .service(tokenClassification)
      .classify({ texts: ['the quick fox '.repeat(9)] }, testCall())
    await model.stop()
    expect(spans[0]).not.to.have.length(0)
    expect(['person', 'location', 'organization']).to.include.members(spans[0]!.map(({ label }) => label))
  })

  const refused: readonly [name: string, more: FileContents, options: object, problem: RegExp][] = [
    ['other widths', { 'gliner_config.json': { max_width: 5 } }, {}, /does not score spans of up to 5 words/],
    ['other tokens', { 'gliner_config.json': { ent_token: '[ENT]' } }, {}, /has no token \[ENT\]/],
    ['labels without end', {}, { labels: Array.from({ length: 300 }, (_, at) => `fox ${at}`) }, /name fewer labels/],
  ]
  for (const [name, more, options, problem] of refused)
    it(`is refused with ${name}`, async () => {
      expect(await failureOf(open(more, options))).to.match(problem)
    })

  it('is checked without being loaded', () => {
    const spec = (more: FileContents) => ({ id: 'tiny', files: write({ ...files, ...more }), options: defaults })
    expect(() => check(spec({}))).not.to.throw()
    expect(() => check(spec({ 'gliner_config.json': { sep_token: '[X]' } }))).to.throw(/has no token \[X\]/)
  })

  runConformance(tokenClassification, {
    create: async () => {
      const model = await open()
      return { service: model.service(tokenClassification), dispose: () => model.stop() }
    },
    skip: {
      'a name is found where it stands': 'the weights of this model are random',
      'positions count UTF-16 code units': 'the weights of this model are random',
      'a name at the end of a long text is found': 'the weights of this model are random',
    },
  })
})

describe('the inputs of a GLiNER model', () => {
  const integer = (name: string) => ({ name, type: 'INT64' as const, shape: [-1, -1] })
  const names = ['input_ids', 'attention_mask', 'words_mask', 'text_lengths', 'span_idx']
  const tensors = spanInputs(2)(
    [
      { ids: [2, 9, 8, 7, 3], words: [0, 1, 0, 2, 0] },
      { ids: [2, 6, 3], words: [0, 1, 0] },
    ],
    names.map(integer),
    0,
  )
  const expected: Readonly<Record<string, { shape: number[]; values: number[] }>> = {
    words_mask: { shape: [2, 5], values: [0, 1, 0, 2, 0, 0, 1, 0, 0, 0] },
    text_lengths: { shape: [2, 1], values: [2, 1] },
    span_idx: { shape: [2, 4, 2], values: [0, 0, 0, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] },
  }
  for (const [name, { shape, values }] of Object.entries(expected))
    it(`are as publishers have them: ${name}`, () => {
      const { data, shape: own } = tensors[name]!
      expect(own).to.deep.equal(shape)
      expect(Array.from(new BigInt64Array(data.buffer), Number)).to.deep.equal(values)
    })
  it('tell which spans lie in the text', () => {
    expect(tensors['span_mask']).to.deep.include({ type: 'BOOL', shape: [2, 4] })
    expect([...tensors['span_mask']!.data]).to.deep.equal([1, 1, 1, 0, 1, 0, 0, 0])
  })
})

describe('the spans of a GLiNER model', () => {
  it('have the likeliest label, with a probability above one half, and end in the text', () => {
    const logits = Float32Array.of(-1, 2, 3, 1, /* second word */ -1, -2, 9, 9, /* padding */ 9, 9, 9, 9)
    const spans = scoredSpans(logits, 2, { labels: ['a', 'b'], maxWidth: 2 })
    expect(spans.map(({ label, first, last }) => [label, first, last])).to.deep.equal([
      ['b', 0, 0],
      ['a', 0, 1],
    ])
  })

  const span = fc
    .record({ first: fc.nat(30), more: fc.nat(4), score: fc.double({ min: 0.5, max: 1, noNaN: true }) })
    .map(({ first, more, score }) => ({ label: 'a', first, last: first + more, score }))
  it('do not overlap, and each that is left out overlaps one that is as sure', () => {
    fc.assert(
      fc.property(fc.array(span, { maxLength: 40 }), (spans) => {
        const kept = withoutOverlaps(spans)
        const overlap = (one: (typeof spans)[number], other: (typeof spans)[number]) =>
          one.first <= other.last && other.first <= one.last
        for (const [index, one] of kept.entries())
          for (const other of kept.slice(index + 1)) expect(overlap(one, other)).to.equal(false)
        for (const one of spans)
          expect(kept.some((other) => other === one || (overlap(one, other) && other.score >= one.score))).to.equal(
            true,
          )
      }),
    )
  })
})

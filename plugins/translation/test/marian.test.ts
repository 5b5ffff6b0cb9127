import { expect } from 'chai'
import fc from 'fast-check'
import { errorOf } from '@sallyport/stand-ins/errors'
import { useTemporaryDirectory } from '@sallyport/stand-ins/temporary'
import { loadConfig } from '../src/marian/config.js'
import { decoderInputs } from '../src/marian/decoder.js'
import { readSentencePieces } from '../src/marian/sentence-piece.js'
import { loadTokenizer } from '../src/marian/tokenizer.js'
import { Unigram } from '../src/marian/unigram.js'

/** A message of protocol buffers with one field of bytes. */
const field = (number: number, bytes: Uint8Array) => Buffer.from([number * 8 + 2, bytes.length, ...bytes])

const piece = (text: string, score: number, kind = 1) => {
  const float = Buffer.alloc(4)
  float.writeFloatLE(score)
  return field(
    1,
    Buffer.concat([field(1, Buffer.from(text)), Buffer.from([0x15, ...float]), Buffer.from([0x18, kind])]),
  )
}

const trainer = (kind: number) => field(2, Buffer.from([0x18, kind]))

const scored: [string, number][] = [
  ['▁the', -2],
  ['▁', -3],
  ['ca', -4],
  ['t', -4.5],
  ['cat', -5],
  ['s', -5],
]
const spm = Buffer.concat([
  piece('<unk>', 0, 2),
  piece('</s>', 0, 3),
  ...scored.map(([text, score]) => piece(text, score)),
  trainer(1),
])

describe('a SentencePiece model', () => {
  it('is read without its control pieces', () => {
    expect(readSentencePieces('m', spm)).to.deep.equal(scored.map(([text, score]) => ({ piece: text, score })))
  })

  for (const [name, file, problem] of [
    ['is cut off', spm.subarray(0, spm.length - 3), 'damaged'],
    ['is of another kind', Buffer.concat([piece('a', 0), trainer(2)]), 'not a unigram model'],
    ['is something else', Buffer.from('{"a": 1}'), 'damaged'],
    ['is empty', Buffer.alloc(0), 'no pieces'],
  ] as const)
    it(`is refused where it ${name}`, () => {
      expect(() => readSentencePieces('m', file))
        .to.throw(problem)
        .with.property('code', 'model_invalid')
    })
})

describe('a unigram model', () => {
  const unigram = new Unigram(scored.map(([text, score]) => ({ piece: text, score })))

  for (const [text, pieces] of [
    ['▁the▁cats', ['▁the', '▁', 'cat', 's']],
    ['▁xyz▁t', ['▁', 'xyz', '▁', 't']],
    ['👩t', ['👩', 't']],
    ['', []],
  ] as const)
    it(`cuts ${text} into the most probable pieces`, () => {
      expect(unigram.segment(text)).to.deep.equal(pieces)
    })

  it('gives pieces that are the text together', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(unigram.segment(text).join('')).to.equal(text)
      }),
    )
  })
})

describe('the files of a Marian model', () => {
  const directory = useTemporaryDirectory()
  const written = (files: Record<string, string | Uint8Array>) =>
    Object.fromEntries(
      Object.entries(files).map(([name, content]) => [name, directory.write(`${Math.random()}`, content)]),
    )
  const vocabulary = JSON.stringify({ '</s>': 0, '<unk>': 1, '▁the': 2, '▁': 3, cat: 4, '>>deu<<': 5, '<pad>': 6 })

  it('are the pieces of the source with the ids of the vocabulary', async () => {
    const tokenizer = await loadTokenizer('m', written({ 'source.spm': spm, 'vocab.json': vocabulary }))
    expect(tokenizer.encode(' the  cat\ts ')).to.deep.equal([2, 3, 4, 3, 1])
    expect(tokenizer.decode([5, 2, 3, 4, 1, 0])).to.equal('the cat')
    expect(tokenizer.languageTokens).to.deep.equal(['>>deu<<'])
  })

  for (const [name, files, problem] of [
    ['no tokenizer', {}, 'tokenizer.json'],
    ['a vocabulary without <unk>', { 'source.spm': spm, 'vocab.json': '{"a": 1}' }, 'vocab.json'],
    ['a broken vocabulary', { 'source.spm': spm, 'vocab.json': '{' }, 'vocab.json is not valid JSON'],
    ['another kind of tokenizer', { 'tokenizer.json': '{"model": {"type": "BPE"}}' }, 'no unigram model'],
  ] as const)
    it(`are refused with ${name}`, async () => {
      const error = await errorOf(loadTokenizer('m', written(files)))
      expect(error).to.have.property('code', 'model_invalid')
      expect(error.message).to.include(problem)
    })

  it('say where translations start and end', async () => {
    const files = written({
      model: JSON.stringify({ pad_token_id: 6, eos_token_id: 0, d_model: 8, decoder_attention_heads: 2 }),
      'generation_config.json': JSON.stringify({ bad_words_ids: [[6], [4, 3]] }),
    })
    expect(await loadConfig('m', files)).to.deep.equal({
      ...{ padId: 6, startId: 6, endId: 0, banned: [[6], [4, 3]], contextLength: 512, heads: 2, headSize: 4 },
    })
  })

  it('are refused where they say no token for padding', async () => {
    expect((await errorOf(loadConfig('m', written({ model: '{}' })))).message).to.include(
      'states no valid pad_token_id',
    )
  })
})

describe('the graph of a decoder', () => {
  const port = (name: string, shape: number[] = [-1, -1]) => ({ name, type: 'FP32' as const, shape })
  const needed = ['input_ids', 'encoder_hidden_states', 'encoder_attention_mask'].map((name) => port(name))
  const properties = { model: 'm', heads: 8, headSize: 64 }

  it('may have no cache', () => {
    expect(decoderInputs({ inputs: needed, outputs: [port('logits')] }, properties).cache).to.deep.equal([])
  })

  for (const [name, inputs, outputs, problem] of [
    ['without the states of an encoder', needed.slice(0, 1), [port('logits')], 'encoder_hidden_states'],
    ['without logits', needed, [], 'logits'],
    ['that starts with a cache', [...needed, port('past_key_values.0.decoder.key')], [port('logits')], 'merged'],
  ] as const)
    it(`is refused ${name}`, () => {
      expect(() => decoderInputs({ inputs, outputs }, properties))
        .to.throw(problem)
        .with.property('code', 'model_invalid')
    })
})

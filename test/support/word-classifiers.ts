/** Repositories with classifiers whose weights are written by hand, so that words decide; files as publishers have them. */

import { buildOnnx, int64 } from '@sallyport/weights'
import type { OnnxNode, OnnxValueInfo, OnnxTensor } from '@sallyport/weights'

/** The last two stand in prompts of GLiNER models. */
const special = ['[PAD]', '[UNK]', '[CLS]', '[SEP]', '<<ENT>>', '<<SEP>>']

type Files = Readonly<Record<string, Buffer>>

/** Makes a tokenizer like BERT's, which knows these words in small letters and no others. */
const tokenizerOf = (words: readonly string[]) => {
  const pieces = [...special, ...words]
  const sequence = (id: string, type_id: number) => ({ Sequence: { id, type_id } })
  const token = (id: string, type_id = 0) => ({ SpecialToken: { id, type_id } })
  return {
    added_tokens: special.map((content, id) => ({ id, content, special: true })),
    normalizer: {
      type: 'BertNormalizer',
      clean_text: true,
      handle_chinese_chars: true,
      strip_accents: null,
      lowercase: true,
    },
    pre_tokenizer: { type: 'BertPreTokenizer' },
    post_processor: {
      type: 'TemplateProcessing',
      single: [token('[CLS]'), sequence('A', 0), token('[SEP]')],
      pair: [token('[CLS]'), sequence('A', 0), token('[SEP]'), sequence('B', 1), token('[SEP]', 1)],
      special_tokens: Object.fromEntries(
        ['[CLS]', '[SEP]'].map((id) => [id, { id, ids: [pieces.indexOf(id)], tokens: [id] }]),
      ),
    },
    model: {
      type: 'WordPiece',
      vocab: Object.fromEntries(pieces.map((piece, id) => [piece, id])),
      unk_token: '[UNK]',
      continuing_subword_prefix: '##',
      max_input_chars_per_word: 100,
    },
  }
}

interface Graph {
  /** Those of tokens. */
  readonly inputs: readonly string[]
  readonly otherInputs?: readonly OnnxValueInfo[]
  readonly output: readonly (number | string)[]
  readonly nodes: readonly OnnxNode[]
  readonly tensors: Readonly<Record<string, OnnxTensor>>
}

const repositoryOf = (
  words: readonly string[],
  config: object,
  { inputs, otherInputs = [], output, nodes, tensors }: Graph,
): Files => {
  const graph = buildOnnx({
    inputs: [...inputs.map((name) => port(name, ['batch', 'sequence'])), ...otherInputs],
    outputs: [{ name: 'logits', type: 'FP32', shape: output }],
    nodes,
    initializers: tensors,
  })
  return {
    'onnx/model.onnx': Buffer.from(graph),
    'config.json': Buffer.from(JSON.stringify({ max_position_embeddings: 512, ...config })),
    'tokenizer.json': Buffer.from(JSON.stringify(tokenizerOf(words))),
  }
}

const port = (name: string, shape: OnnxValueInfo['shape'], type: OnnxValueInfo['type'] = 'INT64'): OnnxValueInfo => ({
  name,
  type,
  shape,
})

const table = (rows: readonly (readonly number[])[]): OnnxTensor => ({
  shape: [rows.length, rows[0]?.length ?? 0],
  data: Float32Array.from(rows.flat()),
})

const named = (labels: readonly string[]) => ({ id2label: Object.fromEntries(labels.entries()) })

const node = (
  op: string,
  inputs: readonly string[],
  output: string,
  attributes?: OnnxNode['attributes'],
): OnnxNode => ({
  op,
  inputs,
  outputs: [output],
  ...(attributes && { attributes }),
})

/** A sequence classifier in the manner of protectai/deberta-v3-base-prompt-injection-v2: of the labels, the last has the logit 6 with the word, else -6. */
export const wordClassifier = (word: string, labels: readonly string[]): Files => {
  const others = labels.slice(1).map(() => 0)
  return repositoryOf(
    [word],
    { architectures: ['DebertaV2ForSequenceClassification'], model_type: 'deberta-v2', ...named(labels) },
    {
      inputs: ['input_ids', 'attention_mask'],
      output: ['batch', labels.length],
      nodes: [
        node('Gather', ['words', 'input_ids'], 'each'),
        node('ReduceMax', ['each'], 'logits', { axes: { ints: [1] }, keepdims: { int: 0 } }),
      ],
      tensors: { words: table([...special.map(() => [...others, -6]), [...others, 6]]) },
    },
  )
}

/**
 * A model of natural language inference in the manner of cross-encoder/nli-MiniLM2-L6-H768, with three labels of which the
 * second says that the claim follows: its logit is 4 where the first text has all words of the second, and 8 less for each
 * that it lacks.
 */
export const entailmentClassifier = (words: readonly string[], labels: readonly [string, string, string]): Files =>
  repositoryOf(
    words,
    { architectures: ['BertForSequenceClassification'], model_type: 'bert', ...named(labels) },
    {
      inputs: ['input_ids', 'attention_mask', 'token_type_ids'],
      output: ['batch', 3],
      nodes: [
        node('Gather', ['words', 'input_ids'], 'each'),
        node('Cast', ['token_type_ids'], 'types', { to: { int: 1 } }),
        node('Unsqueeze', ['types', 'two'], 'second'),
        node('Mul', ['each', 'second'], 'claimed'),
        node('Sub', ['each', 'claimed'], 'stated'),
        node('ReduceMax', ['claimed'], 'claim', { axes: { ints: [1] }, keepdims: { int: 0 } }),
        node('ReduceMax', ['stated'], 'reference', { axes: { ints: [1] }, keepdims: { int: 0 } }),
        node('Sub', ['claim', 'reference'], 'difference'),
        node('Relu', ['difference'], 'lacking'),
        node('MatMul', ['lacking', 'head'], 'product'),
        node('Add', ['product', 'bias'], 'logits'),
      ],
      tensors: {
        two: int64([2]),
        words: table([
          ...special.map(() => words.map(() => 0)),
          ...words.map((_, at) => words.map((__, to) => Number(at === to))),
        ]),
        head: table(words.map(() => [0, -8, 0])),
        bias: { shape: [3], data: Float32Array.of(0, 4, 0) },
      },
    },
  )

/** A token classifier in the manner of dslim/bert-base-NER: the word has the last label, all others the first. */
export const tokenClassifier = (word: string, labels: readonly string[]): Files => {
  const row = (chosen: number) => labels.map((_, index) => (index === chosen ? 6 : 0))
  return repositoryOf(
    [word],
    { architectures: ['BertForTokenClassification'], model_type: 'bert', ...named(labels) },
    {
      inputs: ['input_ids', 'attention_mask'],
      output: ['batch', 'sequence', labels.length],
      nodes: [node('Gather', ['words', 'input_ids'], 'logits')],
      tensors: { words: table([...special.map(() => row(0)), row(labels.length - 1)]) },
    },
  )
}

/**
 * A model in the manner of urchade/gliner_small-v2.1, for spans of one word: of as many labels as it is made for, the word
 * has the last with the logit 6; all else is -6.
 */
export const spanClassifier = (word: string, labels: number): Files => ({
  ...repositoryOf(
    [word],
    {},
    {
      inputs: ['input_ids', 'attention_mask', 'words_mask'],
      otherInputs: [
        port('text_lengths', ['batch', 1]),
        port('span_idx', ['batch', 'spans', 2]),
        port('span_mask', ['batch', 'spans'], 'BOOL'),
      ],
      output: ['batch', 'words', 1, labels],
      nodes: [
        node('Gather', ['words', 'input_ids'], 'each'),
        node('ReduceMax', ['text_lengths'], 'count', { keepdims: { int: 0 } }),
        node('Add', ['count', 'one'], 'slots'),
        // The places of words in the text, by their numbers: 0 collects all other tokens.
        node('OneHot', ['words_mask', 'slots', 'off.on'], 'slot.of.token'),
        node('Transpose', ['slot.of.token'], 'tokens.of.slot', { perm: { ints: [0, 2, 1] } }),
        node('MatMul', ['tokens.of.slot', 'each'], 'by.slot'),
        node('Slice', ['by.slot', 'first', 'far', 'first'], 'by.word'),
        node('MatMul', ['by.word', 'head'], 'product'),
        node('Add', ['product', 'bias'], 'scores'),
        node('Unsqueeze', ['scores', 'two'], 'logits'),
      ],
      tensors: {
        words: table([...special.map(() => [0]), [12]]),
        head: table([Array.from({ length: labels }, (_, label) => Number(label === labels - 1))]),
        bias: { shape: [1], data: Float32Array.of(-6) },
        'off.on': { shape: [2], data: Float32Array.of(0, 1) },
        one: int64(1),
        first: int64([1]),
        two: int64([2]),
        far: int64([1_000_000]),
      },
    },
  ),
  'gliner_config.json': Buffer.from(JSON.stringify({ max_width: 1, max_len: 384, span_mode: 'markerV0' })),
})

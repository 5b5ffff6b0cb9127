/** Repositories with classifiers whose weights are written by hand, so that words decide; files as publishers have them. */

import { buildOnnx } from '@sallyport/weights'
import type { OnnxNode, OnnxTensor } from '@sallyport/weights'

const special = ['[PAD]', '[UNK]', '[CLS]', '[SEP]']

type Files = Readonly<Record<string, Buffer>>

/** As BERT's: words in small letters, others unknown. */
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
  readonly inputs: readonly string[]
  readonly output: readonly (number | string)[]
  readonly nodes: readonly OnnxNode[]
  readonly tensors: Readonly<Record<string, OnnxTensor>>
}

const repositoryOf = (words: readonly string[], config: object, { inputs, output, nodes, tensors }: Graph): Files => {
  const graph = buildOnnx({
    inputs: inputs.map((name) => ({ name, type: 'INT64', shape: ['batch', 'sequence'] })),
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

const table = (rows: readonly (readonly number[])[]): OnnxTensor => ({
  shape: [rows.length, rows[0]?.length ?? 0],
  data: Float32Array.from(rows.flat()),
})

const named = (labels: readonly string[]) => ({ id2label: Object.fromEntries(labels.entries()) })

/**
 * A sequence classifier in the manner of protectai/deberta-v3-base-prompt-injection-v2: the last of two labels has the
 * logit 6 with the word, -6 without.
 */
export const wordClassifier = (word: string, labels: readonly [string, string]): Files =>
  repositoryOf(
    [word],
    { architectures: ['DebertaV2ForSequenceClassification'], model_type: 'deberta-v2', ...named(labels) },
    {
      inputs: ['input_ids', 'attention_mask'],
      output: ['batch', 2],
      nodes: [
        { op: 'Gather', inputs: ['words', 'input_ids'], outputs: ['each'] },
        {
          op: 'ReduceMax',
          inputs: ['each'],
          outputs: ['logits'],
          attributes: { axes: { ints: [1] }, keepdims: { int: 0 } },
        },
      ],
      tensors: { words: table([...special.map(() => [0, -6]), [0, 6]]) },
    },
  )

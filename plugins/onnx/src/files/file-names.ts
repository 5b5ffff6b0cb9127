import type { RequiredFiles } from '@sallyport/core'

const optional = (...names: string[]) => ({ names, optional: true })

const folders = ['onnx/', '']
/** Full precision comes first: smaller files are less exact, and an operator can name the one to use. */
const graphs = ['text_model', 'model', 'model_optimized', 'model_fp16', 'model_quantized', 'model_int8', 'model_q4']

/** The graphs that may exceed 2 GB, in the same order. */
const largeGraphs = ['text_model', 'model', 'model_fp16']

const inFolders = (names: readonly string[]) => names.flatMap((name) => folders.map((folder) => folder + name))

/** The names under which exporters keep the weights of a graph in files of their own. */
const weightsOf = (names: readonly string[]) =>
  inFolders(['onnx_data', 'onnx.data'].flatMap((ending) => names.map((name) => `${name}.${ending}`)))

/** The files of a model by role, with the names that they have in repositories of the Hugging Face Hub. */
export const fileNames: RequiredFiles = {
  model: { names: inFolders(graphs.map((name) => `${name}.onnx`)) },
  'model.onnx_data': optional(...weightsOf(largeGraphs)),
  vision_model: optional(...inFolders(['vision_model.onnx'])),
  'vision_model.onnx_data': optional(...weightsOf(['vision_model'])),
  'tokenizer.json': optional('tokenizer.json', 'onnx/tokenizer.json'),
  'tokenizer_config.json': optional('tokenizer_config.json'),
  'config.json': optional('config.json'),
  'gliner_config.json': optional('gliner_config.json'),
  'modules.json': optional('modules.json'),
  '1_Pooling/config.json': optional('1_Pooling/config.json'),
  'sentence_bert_config.json': optional('sentence_bert_config.json'),
  'config_sentence_transformers.json': optional('config_sentence_transformers.json'),
  'preprocessor_config.json': optional('preprocessor_config.json'),
}

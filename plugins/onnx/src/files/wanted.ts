import type { Wanted } from '@sallyport/core'

const optional = (...names: string[]) => ({ names, optional: true })

const folders = ['onnx/', '']
/** Full precision first: what is smaller is also less exact, and is named where it is wanted. */
const graphs = ['text_model', 'model', 'model_optimized', 'model_fp16', 'model_quantized', 'model_int8', 'model_q4']

const inFolders = (names: readonly string[]) => names.flatMap((name) => folders.map((folder) => folder + name))

/** Files of a model, as repositories and folders of the hub have them. */
export const wantedFiles: Wanted = {
  model: { names: inFolders(graphs.map((name) => `${name}.onnx`)) },
  // names under which exporters keep weights beside a graph of more than 2 GB
  'model.onnx_data': optional(...inFolders(['model.onnx_data', 'model.onnx.data', 'text_model.onnx_data'])),
  vision_model: optional(...inFolders(['vision_model.onnx'])),
  'tokenizer.json': optional('tokenizer.json', 'onnx/tokenizer.json'),
  'tokenizer_config.json': optional('tokenizer_config.json'),
  'special_tokens_map.json': optional('special_tokens_map.json'),
  'config.json': optional('config.json'),
  'modules.json': optional('modules.json'),
  '1_Pooling/config.json': optional('1_Pooling/config.json'),
  'sentence_bert_config.json': optional('sentence_bert_config.json'),
  'config_sentence_transformers.json': optional('config_sentence_transformers.json'),
  'preprocessor_config.json': optional('preprocessor_config.json'),
}

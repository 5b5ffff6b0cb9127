/** Texts by which families of chat templates are known; the first that occurs decides. */
const families = [
  ['<|im_start|>', 'chatml'],
  ['<|start_header_id|>', 'llama-3'],
  ['<start_of_turn>', 'gemma'],
  ['<|assistant|>', 'phi'],
  ['[INST]', 'mistral'],
] as const

/** The name of a template's family, for listings: `jinja` where it is unknown, `raw` without a template. */
export const promptFormat = (template: string | undefined): string => {
  if (template === undefined) return 'raw'
  return families.find(([text]) => template.includes(text))?.[1] ?? 'jinja'
}

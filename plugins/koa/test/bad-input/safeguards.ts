/** Safeguard options that are misspelt or misplaced. */

import { chat, field } from './case.js'
import type { Case } from './case.js'

const placed = (name: string, place: string) => field(name, `is no field here: use ${place} for this safeguard`)

export const safeguards: readonly Case[] = [
  {
    what: 'an unknown value of a safeguard',
    body: chat({ input: { pii: 'maybe' } }),
    ...field('input.pii', 'must be "block" or "replace"'),
  },
  {
    what: 'a misspelt safeguard',
    body: chat({ input: { block_injection: true } }),
    ...field(
      'input.block_injection',
      'is unknown: there are block_prompt_injection, pii, pii_replace_method, entity_list',
    ),
  },
  {
    what: 'an input safeguard under output',
    body: chat({ output: { pii: 'block' } }),
    ...field('output.pii', 'is unknown: there are factuality, toxicity'),
  },
  {
    what: 'a safeguard as text',
    body: chat({ output: { toxicity: 'yes' } }),
    ...field('output.toxicity', 'must be true or false'),
  },
  { what: 'safeguards on chat', body: chat({ safeguards: {} }), ...placed('safeguards', 'input and output') },
  { what: 'pii beside messages', body: chat({ pii: 'block' }), ...placed('pii', 'input.pii') },
  { what: 'toxicity beside messages', body: chat({ toxicity: true }), ...placed('toxicity', 'output.toxicity') },
  { what: 'a misspelt container', body: chat({ saveguards: {} }), ...placed('saveguards', 'input and output') },
  { what: 'a letter too many', body: chat({ inputs: {} }), ...placed('inputs', 'input') },
  { what: 'two letters exchanged', body: chat({ ouptut: {} }), ...placed('ouptut', 'output') },
  ...(
    [
      ['guardrails', 'input and output'],
      ['guards', 'input and output'],
      ['safeguard', 'input and output'],
      ['input_options', 'input'],
      ['outputOptions', 'output'],
      ['pii_options', 'input.pii'],
      ['prompt-injection', 'input.block_prompt_injection'],
      ['toxicity_check', 'output.toxicity'],
      ['gaurd', 'input and output'],
      ['input_pii', 'input.pii'],
      ['blockPII', 'input.pii'],
      ['PIIBlock', 'input.pii'],
      ['prompt_injecton', 'input.block_prompt_injection'],
    ] as const
  ).map(([name, place]) => ({ what: `${name} beside messages`, body: chat({ [name]: {} }), ...placed(name, place) })),
  ...(
    [
      ['extra_body', 'input', { pii: 'block' }, 'input'],
      ['extra_body', 'output', {}, 'output'],
      ['extra_body', 'safeguards', { pii: 'block' }, 'input and output'],
      ['extra_body', 'pii', 'block', 'input.pii'],
      ['options', 'toxicity', true, 'output.toxicity'],
      ['options', 'input', { pi: 'block' }, 'input'],
      ['extra_headers', 'Pii', 'replace', 'input.pii'],
      ['metadata', 'safeguards', {}, 'input and output'],
      ['metadata', 'toxicity', true, 'output.toxicity'],
      ['metadata', 'input', { block_prompt_injection: true }, 'input'],
    ] as const
  ).map(([container, name, value, place]) => ({
    what: `${name} in ${container}`,
    body: chat({ [container]: { [name]: value } }),
    ...placed(`${container}.${name}`, place),
  })),
  {
    what: 'a path as a name',
    body: chat({ 'input.pii': 'block' }),
    ...field('input.pii', 'is no field here: write {"input": {"pii": …}} for this safeguard'),
  },
  {
    what: 'entity types without pii',
    body: chat({ input: { entity_list: ['PERSON'] } }),
    ...field('input.pii', 'is missing: "entity_list" does nothing without it; give "block" or "replace"'),
  },
  {
    what: 'a way to replace without pii',
    path: '/completions',
    body: { model: 'speaker', prompt: 'x', input: { pii_replace_method: 'mask' } },
    ...field('input.pii', 'is missing: "pii_replace_method" does nothing without it; give "block" or "replace"'),
  },
  ...[null, ''].map((pii) => ({
    what: `a way to replace beside pii that is ${JSON.stringify(pii)}`,
    body: chat({ input: { pii, pii_replace_method: 'mask' } }),
    ...field('input.pii', 'is missing: "pii_replace_method" does nothing without it; give "block" or "replace"'),
  })),
  {
    what: 'guardrails where there are none',
    path: '/embeddings',
    body: { model: 'toolbox', input: 'x', guardrails: ['pii'] },
    ...field('guardrails', 'this request takes no safeguard options'),
  },
  { what: 'another case', body: chat({ PII: 'block' }), ...placed('PII', 'input.pii') },
  {
    what: 'a safeguard where there are none',
    path: '/embeddings',
    body: { model: 'toolbox', input: 'x', pii: 'block' },
    ...field('pii', 'this request takes no safeguard options'),
  },
]

/** Safeguard options that are misspelt or misplaced. */

import { chat, field, refused } from './case.js'
import type { Case } from './case.js'

const placed = (name: string, place: string) => field(name, `is not a field here: use ${place} for this safeguard`)

export const safeguards: readonly Case[] = [
  refused(
    'an unknown value of a safeguard',
    chat({ input: { pii: 'maybe' } }),
    'input.pii',
    'must be "block" or "replace"',
  ),
  refused(
    'a misspelt safeguard',
    chat({ input: { block_injection: true } }),
    'input.block_injection',
    'is unknown: there are block_prompt_injection, pii, pii_replace_method, entity_list',
  ),
  refused(
    'an input safeguard under output',
    chat({ output: { pii: 'block' } }),
    'output.pii',
    'is unknown: there are factuality, toxicity',
  ),
  refused('a safeguard as text', chat({ output: { toxicity: 'yes' } }), 'output.toxicity', 'must be true or false'),
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
  refused(
    'a path as a name',
    chat({ 'input.pii': 'block' }),
    'input.pii',
    'is not a field here: write {"input": {"pii": …}} for this safeguard',
  ),
  refused(
    'entity types without pii',
    chat({ input: { entity_list: ['PERSON'] } }),
    'input.pii',
    'is missing: "entity_list" does nothing without it; give "block" or "replace"',
  ),
  refused(
    'a way to replace without pii',
    { model: 'speaker', prompt: 'x', input: { pii_replace_method: 'mask' } },
    'input.pii',
    'is missing: "pii_replace_method" does nothing without it; give "block" or "replace"',
    { path: '/completions' },
  ),
  ...[null, ''].map((pii) =>
    refused(
      `a way to replace beside pii that is ${JSON.stringify(pii)}`,
      chat({ input: { pii, pii_replace_method: 'mask' } }),
      'input.pii',
      'is missing: "pii_replace_method" does nothing without it; give "block" or "replace"',
    ),
  ),
  refused(
    'guardrails where there are none',
    { model: 'toolbox', input: 'x', guardrails: ['pii'] },
    'guardrails',
    'this request takes no safeguard options',
    { path: '/embeddings' },
  ),
  { what: 'another case', body: chat({ PII: 'block' }), ...placed('PII', 'input.pii') },
  refused(
    'a safeguard where there are none',
    { model: 'toolbox', input: 'x', pii: 'block' },
    'pii',
    'this request takes no safeguard options',
    { path: '/embeddings' },
  ),
]

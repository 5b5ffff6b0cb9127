/** Requests that ask for a check in a way that cannot be meant. */

export interface Case {
  readonly what: string
  readonly path: string
  /** The JSON body, or text as it is. */
  readonly body: unknown
  /** What the refusal names, and says of it. */
  readonly field: string
  readonly problem: string
  readonly headers?: Readonly<Record<string, string>>
  /** Prefixes; by default both. */
  readonly dialects?: readonly ('' | '/v1')[]
}

type Fields = Readonly<Record<string, unknown>>
type Refusal = readonly [what: string, fields: Fields, field: string, problem: string]

const refusals = (
  path: string,
  good: Fields,
  dialects: readonly ('' | '/v1')[],
  list: readonly Refusal[],
): readonly Case[] =>
  list.map(([what, fields, field, problem]) => ({ what, path, dialects, body: { ...good, ...fields }, field, problem }))

const texts = 'a non-empty string or an array of 1 to 16384 non-empty strings'
const text = 'a string that is not empty'
const methods = 'must be "random", "fake", "category" or "mask"'
const noThreshold = 'is not a field here: thresholds are set in the configuration'
const noOptions = 'this request takes no safeguard options'
const own = (name: string) => `is not a field here: use ${name} for this safeguard`
const nearMail = 'is not an entity type: did you mean "EMAIL_ADDRESS"?'
const someType = 'must be the name of an entity type, such as EMAIL_ADDRESS'
const tooMany = (most: number) => Array<string>(most + 1).fill('a')

const onPii = refusals(
  '/PII',
  { prompt: 'a@bc.de', replace: true },
  [''],
  [
    ['an unknown entity type', { entity_list: ['EMIAL_ADDRESS'] }, 'entity_list[0]', nearMail],
    ['an unknown type behind a known one', { entity_list: ['person', 'Emailaddress'] }, 'entity_list[1]', nearMail],
    ['the beginning of an entity type', { entity_list: ['EMAIL'] }, 'entity_list[0]', nearMail],
    ['an entity type with a space', { entity_list: ['EMAIL ADDRESS'] }, 'entity_list[0]', someType],
    ['an entity type that is null', { entity_list: [null] }, 'entity_list[0]', someType],
    ['one entity type as text', { entity_list: 'PERSON' }, 'entity_list', 'must be an array of at most 256 items'],
    [
      'too many entity types',
      { entity_list: Array(257).fill('PERSON') },
      'entity_list',
      'must be an array of at most 256 items',
    ],
    ['an unknown method', { replace_method: 'rot13' }, 'replace_method', methods],
    [
      'an unknown method though nothing is replaced',
      { replace: false, replace_method: 'rot13' },
      'replace_method',
      methods,
    ],
    ['a method in capitals', { replace_method: 'MASK' }, 'replace_method', methods],
    ['a misspelt option', { replace_methd: 'mask' }, 'replace_methd', own('replace_method')],
    ['the option of chat', { pii_replace_method: 'mask' }, 'pii_replace_method', own('replace_method')],
    ['a part of the option', { method: 'mask' }, 'method', own('replace_method')],
    ['another spelling of the list', { entityTypes: ['PERSON'] }, 'entityTypes', own('entity_list')],
    ['a threshold', { threshold: 2 }, 'threshold', noThreshold],
    ['a safeguard beside the prompt', { pii: 'maybe' }, 'pii', noOptions],
    ['a word where true belongs', { replace: 'yes' }, 'replace', 'must be true or false'],
    ['an absent switch', { replace: null }, 'replace', 'is required: give true or false'],
    ['an empty prompt', { prompt: '' }, 'prompt', `must be ${texts}`],
    ['a prompt that is null', { prompt: null }, 'prompt', `is required: give ${texts}`],
    ['a prompt that is a number', { prompt: 5 }, 'prompt', `must be ${texts}`],
    ['a prompt that is an object', { prompt: { text: 'a' } }, 'prompt', `must be ${texts}`],
    ['no prompts', { prompt: [] }, 'prompt', `must be ${texts}`],
    ['an empty prompt among others', { prompt: ['a', ''] }, 'prompt[1]', `must be ${text}`],
    ['a number among prompts', { prompt: ['a', 5] }, 'prompt[1]', `must be ${text}`],
    ['prompts in prompts', { prompt: [['a']] }, 'prompt[0]', `must be ${text}`],
    ['too many prompts', { prompt: tooMany(16_384) }, 'prompt', `must be ${texts}`],
  ],
)

const onInjection = refusals(
  '/injection',
  { prompt: 'a', detect: true },
  [''],
  [
    ['an empty prompt', { prompt: '' }, 'prompt', `must be ${texts}`],
    [
      'an empty prompt though nothing is detected',
      { prompt: ['a', ''], detect: false },
      'prompt[1]',
      `must be ${text}`,
    ],
    ['a word where true belongs', { detect: 'true' }, 'detect', 'must be true or false'],
    ['an absent switch', { detect: null }, 'detect', 'is required: give true or false'],
    ['a threshold', { injection_threshold: -1 }, 'injection_threshold', noThreshold],
    ['the option of chat', { block_prompt_injection: true }, 'block_prompt_injection', noOptions],
  ],
)

const onScores = [
  ...refusals(
    '/toxicity',
    { text: 'a' },
    [''],
    [
      ['an empty text', { text: '' }, 'text', `must be ${text}`],
      ['several texts', { text: ['a'] }, 'text', `must be ${text}`],
      ['a threshold', { threshold: 0.5 }, 'threshold', noThreshold],
    ],
  ),
  ...refusals(
    '/factuality',
    { text: 'a', reference: 'b' },
    [''],
    [
      ['an empty text', { text: '' }, 'text', `must be ${text}`],
      ['an empty reference', { reference: '' }, 'reference', `must be ${text}`],
      ['no reference', { reference: null }, 'reference', `is required: give ${text}`],
      ['several references', { reference: ['b'] }, 'reference', `must be ${text}`],
    ],
  ),
  ...refusals(
    '/moderations',
    { input: 'a' },
    ['/v1'],
    [
      [
        'an empty input',
        { input: ['a', ''] },
        'input[1]',
        'must be a non-empty string or a part {"type": "text", "text": …}',
      ],
      ['strings among parts', { input: ['a', { type: 'text', text: 'b' }] }, 'input', 'must not mix strings and parts'],
      [
        'an unknown kind of part',
        { input: [{ type: 'txt', text: 'b' }] },
        'input[0].type',
        'must be "text" or "image_url"',
      ],
      ['a threshold', { threshold: 2 }, 'threshold', noThreshold],
    ],
  ),
]

const known = 'block_prompt_injection, pii, pii_replace_method, entity_list'

const options: readonly Refusal[] = [
  ['pii that may be', { input: { pii: 'maybe' } }, 'input.pii', 'must be "block" or "replace"'],
  ['pii in capitals', { input: { pii: 'BLOCK' } }, 'input.pii', 'must be "block" or "replace"'],
  ['pii that is true', { input: { pii: true } }, 'input.pii', 'must be "block" or "replace"'],
  ['pii in a list', { input: { pii: ['block'] } }, 'input.pii', 'must be "block" or "replace"'],
  [
    'an unknown method',
    { input: { pii: 'replace', pii_replace_method: 'rot13' } },
    'input.pii_replace_method',
    methods,
  ],
  [
    'the option of /PII',
    { input: { pii: 'replace', replace_method: 'mask' } },
    'input.replace_method',
    `is unknown: did you mean "pii_replace_method"? There are ${known}`,
  ],
  ['a threshold', { input: { threshold: 2 } }, 'input.threshold', `is unknown: there are ${known}`],
  [
    'an unknown entity type',
    { input: { pii: 'block', entity_list: ['EMAIL_ADRESS'] } },
    'input.entity_list[0]',
    nearMail,
  ],
  [
    'an injection check as text',
    { input: { block_prompt_injection: 'true' } },
    'input.block_prompt_injection',
    'must be true or false',
  ],
  [
    'a misspelt check',
    { output: { toxicty: true } },
    'output.toxicty',
    'is unknown: did you mean "toxicity"? There are factuality, toxicity',
  ],
  [
    'a check of the other side',
    { output: { pii: 'block' } },
    'output.pii',
    'is unknown: there are factuality, toxicity',
  ],
  ['a check that is 1', { output: { toxicity: 1 } }, 'output.toxicity', 'must be true or false'],
  ['options as text', { input: 'pii' }, 'input', 'must be an object'],
  ['options as a list', { output: [] }, 'output', 'must be an object'],
  [
    'the options of responses',
    { safeguards: { pii: 'block' } },
    'safeguards',
    'is not a field here: use input and output for this safeguard',
  ],
]

const generation = [
  ...refusals('/chat/completions', { model: 'echo', messages: 'a' }, ['', '/v1'], options),
  ...refusals('/completions', { model: 'babble', prompt: 'a', max_tokens: 1 }, ['', '/v1'], options),
  ...refusals(
    '/completions',
    { model: 'babble', max_tokens: 1 },
    ['', '/v1'],
    [
      ['an empty prompt', { prompt: ['a', ''], input: { pii: 'block' } }, 'prompt[1]', `must be ${text}`],
      [
        'too many prompts',
        { prompt: tooMany(10_000) },
        'prompt',
        'must be a non-empty string or an array of 1 to 128 non-empty strings',
      ],
    ],
  ),
  ...refusals(
    '/embeddings',
    { model: 'trigrams', input: 'a' },
    ['', '/v1'],
    [
      ['a safeguard', { pii: 'block' }, 'pii', noOptions],
      ['options of chat', { output: {} }, 'output', noOptions],
    ],
  ),
]

const unread = 'this header is read with uploads only: in a request with a JSON body, safeguards belong in the body'

const inHeaders: readonly Case[] = Object.entries({
  pii: 'maybe',
  injection: 'true',
  toxicity: 'True',
  'replace-method': 'rot13',
  'entity-list': "['PERSON']",
}).map(([field, value]) => ({
  what: `the header ${field}`,
  path: '/chat/completions',
  body: { model: 'echo', messages: 'a' },
  headers: { [field]: value },
  field,
  problem: unread,
}))

const receipt: Case = {
  what: 'a receipt that may be',
  path: '/chat/completions',
  body: { model: 'echo', messages: 'a' },
  headers: { 'x-safeguards-receipt': 'maybe' },
  field: 'x-safeguards-receipt',
  problem: 'this header must be true or false',
}

export const cases: readonly Case[] = [...onPii, ...onInjection, ...onScores, ...generation, ...inHeaders, receipt]

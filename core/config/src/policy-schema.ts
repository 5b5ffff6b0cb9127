/** Safeguard policies as JSON Schema, with defaults. */

import { record } from '@sallyport/kit/schemas'
import type { JsonSchema } from '@sallyport/kit/schemas'

const checkProperties = (threshold: number): JsonSchema => ({
  mode: {
    description: '`enforce` acts on findings, `shadow` only reports them.',
    enum: ['enforce', 'shadow'],
    default: 'enforce',
  },
  threshold: {
    description: 'Scores of the detector from here on count.',
    type: 'number',
    minimum: 0,
    maximum: 1,
    default: threshold,
  },
  onFailure: {
    description: 'When the detector fails, takes too long or is missing: `block`, or `open` to let the text pass.',
    enum: ['block', 'open'],
    default: 'block',
  },
  budget: {
    description:
      'Milliseconds that the check of a text of up to 1,024 characters may take, a longer one in proportion, up to 16 ' +
      'times as many: of personal information with all that is replaced in it, and whatever escapes it has; other ' +
      'checks have as many for each way to read the escapes. A check whose detector is busy with other texts has up to ' +
      'seven times as many on top.',
    type: 'integer',
    minimum: 1,
    maximum: 600_000,
    default: 5000,
  },
})

/** Of checks of answers. */
const window: JsonSchema = {
  description:
    'What of an answer is checked at a time: `segment` (a sentence or so, which can be streamed), or the whole `answer`.',
  enum: ['segment', 'answer'],
  default: 'segment',
}

const unreferenced: JsonSchema = {
  description:
    'What becomes of an answer where the request states nothing that it could be compared with: `pass`, or `block`.',
  enum: ['pass', 'block'],
  default: 'pass',
}

const check = (description: string, others: JsonSchema = {}): JsonSchema =>
  record(description, { ...checkProperties(0.5), ...others }, { short: { type: 'boolean' } })

const piiCheck = (description: string, others: JsonSchema = {}): JsonSchema =>
  record(
    description,
    {
      // What a detector of personal information reports, it has decided on.
      ...checkProperties(0),
      action: {
        description: '`block` refuses the text, `replace` replaces what was found.',
        enum: ['block', 'replace'],
        default: 'block',
      },
      method: {
        description:
          'How a finding is replaced: `random` characters of the same shape, a realistic `fake`, its `category` in ' +
          'angle brackets, or a `mask` (*).',
        enum: ['random', 'fake', 'category', 'mask'],
        default: 'random',
      },
      ignore: {
        description: 'Entity types that are not looked for, such as `LOCATION`.',
        type: 'array',
        items: {
          type: 'string',
          pattern: '^[A-Z][A-Z0-9_]*$',
          title: 'the name of an entity type, such as "LOCATION"',
        },
        uniqueItems: true,
        default: [],
      },
      ...others,
    },
    { short: { type: 'boolean' } },
  )

/** The checks of each stage, as policies have them. */
export const policyChecks = {
  input: {
    injection: check('Looks for attempts to turn the model against its instructions.'),
    pii: piiCheck('Looks for personal information in what goes in.'),
  },
  output: {
    injection: check(
      'Looks for instructions that what comes out would give to a model that reads it: documents, transcripts.',
      { window },
    ),
    pii: piiCheck('Looks for personal information in what comes out.', { window }),
    toxicity: check('Looks for toxic text in what comes out.', { window }),
    factuality: check('Checks what comes out against what the request states.', { window, unreferenced }),
  },
} as const

export const policy = record('Which checks run; a check that is left out does not.', {
  input: record('Checks of what goes in.', policyChecks.input, { default: {} }),
  output: record('Checks of what comes out.', policyChecks.output, { default: {} }),
})

/** A caller says these, or always has them so: it enforces what it asks for, and takes no failure for a pass. */
const saidByCallers: readonly string[] = ['mode', 'onFailure', 'action', 'ignore']

/** There whenever a caller asks: a check that is left out has its defaults, and none can be off. */
const checkForCallers = ({ properties, ...schema }: JsonSchema): JsonSchema => ({
  ...schema,
  properties: Object.fromEntries(
    Object.entries(properties as JsonSchema).filter(([name]) => !saidByCallers.includes(name)),
  ),
  default: {},
  short: { const: true },
})

export const checksForCallers = (description: string, checks: Readonly<Record<string, JsonSchema>>): JsonSchema =>
  record(
    description,
    Object.fromEntries(Object.entries(checks).map(([name, check]) => [name, checkForCallers(check)])),
    { default: {} },
  )

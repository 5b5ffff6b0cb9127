/** Safeguard policies as JSON Schema, with defaults: made of the checks that there are. */

import { restorableMethods } from '@sallyport/core'
import type { Check, ReplaceMethod, Stage } from '@sallyport/core'
import { record, requiring, text } from '@sallyport/kit/schemas'
import type { JsonSchema } from '@sallyport/kit/schemas'

const methods = {
  random: '`random` characters of the same shape',
  fake: 'a realistic `fake`',
  category: 'its `category` in angle brackets',
  mask: 'a `mask` (*)',
  remove: 'nothing: `remove` takes it out, and the answer leaves as a whole',
} as const satisfies Readonly<Record<ReplaceMethod, string>>

export const replaceMethods = Object.keys(methods) as readonly ReplaceMethod[]

const actions: readonly string[] = ['block', 'replace']

/** The entry to suggest to somebody who wrote an action or a method in its place. */
export const suggestedEntry = (word: unknown): string | undefined => {
  if (actions.includes(String(word))) return `{ action: ${String(word)} }`
  return replaceMethods.includes(word as ReplaceMethod) ? `{ action: replace, method: ${String(word)} }` : undefined
}

/** The methods of a check whose replacements can be put back into answers; none where it replaces nothing that goes in. */
export const restorableMethodsOf = ({ check: { kind, methods: known = [] } }: Check, stage: Stage) =>
  kind === 'spans' && stage === 'input' ? restorableMethods.filter((method) => known.includes(method)) : []

const model = text('Id of a model that provides the check.')

/** Options that entries have beside the check's own; undefined where one has no meaning for a check. */
const entryOptions: Readonly<Record<string, (check: Check, stage: Stage) => JsonSchema | undefined>> = {
  check: ({ name }) => ({ description: 'The check, where its entry has another name.', enum: [name] }),
  mode: () => ({
    description: '`enforce` acts on findings, `shadow` only reports them.',
    enum: ['enforce', 'shadow'],
    default: 'enforce',
  }),
  threshold: ({ check: { threshold = 0.5 } }) => ({
    description: 'Scores of the detector from here on count.',
    type: 'number',
    minimum: 0,
    maximum: 1,
    default: threshold,
  }),
  onFailure: () => ({
    description: 'When the detector fails, takes too long or is missing: `block`, or `open` to let the text pass.',
    enum: ['block', 'open'],
    default: 'block',
  }),
  budget: () => ({
    description:
      'Milliseconds that the check of a text of up to 1,024 characters may take, a longer one in proportion, up to 16 ' +
      'times as many: of personal information with all that is replaced in it, and whatever escapes it has; other ' +
      'checks have as many for each way to read the escapes. A check whose detector is busy with other texts has up to ' +
      'seven times as many on top.',
    type: 'integer',
    minimum: 1,
    maximum: 600_000,
    default: 5000,
  }),
  action: ({ check }) =>
    check.methods?.length
      ? { description: '`block` refuses the text, `replace` replaces what was found.', enum: actions, default: 'block' }
      : undefined,
  method: ({ check: { methods: known = [] } }) => {
    const described = known.map((method) => methods[method])
    const last = described.pop()
    if (last === undefined) return undefined
    const all = described.length ? `${described.join(', ')}, or ${last}` : last
    return { description: `How a finding is replaced: ${all}.`, enum: known, default: known[0] }
  },
  restore: (check, stage) => {
    const restorable = restorableMethodsOf(check, stage)
    if (!restorable.length) return undefined
    return {
      description:
        'Whether what this entry replaces is put back into the answer, after all checks of what comes out; for the ' +
        `${restorable.length > 1 ? 'methods' : 'method'} ${restorable.map((name) => `\`${name}\``).join(' and ')}, ` +
        'which then makes a substitute for each original. Nothing is put back inside web addresses, targets of links, ' +
        'HTML attributes, and arguments of tools of servers, but for the `servers` of the configuration that are listed.',
      anyOf: [
        { type: 'boolean' },
        record(
          'Restores arguments of tool servers, too.',
          {
            servers: { description: 'Labels of tool servers.', type: 'array', items: { type: 'string', minLength: 1 } },
          },
          { required: ['servers'] },
        ),
      ],
    }
  },
  ignore: ({ check: { kind } }) =>
    kind === 'spans'
      ? {
          description: 'Types that are not looked for, such as `LOCATION`.',
          type: 'array',
          items: {
            type: 'string',
            pattern: '^[A-Za-z][A-Za-z0-9_-]*$',
            title: 'the name of a type of finding, such as "LOCATION"',
          },
          uniqueItems: true,
          default: [],
        }
      : undefined,
  unreferenced: ({ check: { kind } }) =>
    kind === 'comparison'
      ? {
          description:
            'What becomes of an answer where the request states nothing that it could be compared with: `pass`, or `block`.',
          enum: ['pass', 'block'],
          default: 'pass',
        }
      : undefined,
  detectors: () => ({
    description: 'The models that are asked. Default: the first that provides the check.',
    type: 'array',
    minItems: 1,
    items: record(
      'A model, and from where on its scores count.',
      {
        model,
        threshold: {
          description: "Scores of this model from here on count. Default: the check's threshold.",
          type: 'number',
          minimum: 0,
          maximum: 1,
        },
      },
      { required: ['model'], short: model },
    ),
  }),
  combine: ({ check: { kind } }) => ({
    description:
      kind === 'spans'
        ? 'What several detectors find together: what `any` of them finds, or what `all` find, as far as it overlaps.'
        : 'What several detectors say together: that `any` of them finds something, `all`, or the `mean` of their scores.',
    enum: kind === 'spans' ? ['any', 'all'] : ['any', 'all', 'mean'],
    default: 'any',
  }),
  window: (_, stage) =>
    stage === 'output'
      ? {
          description:
            'What of an answer is checked at a time: `segment` (a sentence or so, which can be streamed), or the whole `answer`.',
          enum: ['segment', 'answer'],
          default: 'segment',
        }
      : undefined,
}

/** Names that a check's own options may not have. */
export const commonOptions: readonly string[] = Object.keys(entryOptions)

/** Whether a policy guards models, or configures the checks that callers request. */
export type PolicyAudience = 'models' | 'callers'

/** Options that `callerPolicy` cannot have: requests set them, or they are fixed (`enforce`, and `block` on failure). */
const fixedForCallers: readonly string[] = ['mode', 'onFailure', 'action', 'ignore']

/** Entries of `callerPolicy` have defaults and cannot be off: a check without one can be requested, too. */
const entrySchema = (check: Check, stage: Stage, audience: PolicyAudience): JsonSchema => {
  const { required = [], options = {}, stages } = check.check
  const common = Object.entries(entryOptions)
    .map(([name, schema]) => [name, schema(check, stage)] as const)
    .filter(([name, schema]) => schema && (audience === 'models' || !fixedForCallers.includes(name)))
  const short = audience === 'models' ? { short: { type: 'boolean' } } : { default: {}, short: { const: true } }
  return record(
    stages[stage] ?? '',
    { ...Object.fromEntries(common), ...options },
    { ...requiring(required), ...(required.length ? {} : short) },
  )
}

/** Checks of a stage by the names of their entries. */
export type Entries = ReadonlyMap<string, Check>

const descriptions: Readonly<Record<PolicyAudience, string>> = {
  models: 'Which checks run; a check that is left out does not.',
  callers:
    'How the checks run that a caller asks for; they are always enforced, and block where the detector fails. Where the ' +
    "model's policy has the same check, the stricter of both holds: the lower threshold, and `block` before `replace`.",
}

export const policySchema = (entries: Readonly<Record<Stage, Entries>>, audience: PolicyAudience): JsonSchema => {
  const stageSchema = (description: string, stage: Stage): JsonSchema => {
    const schemas = Array.from(entries[stage], ([name, check]) => [name, entrySchema(check, stage, audience)] as const)
    return record(description, Object.fromEntries(schemas), { default: {} })
  }
  return record(descriptions[audience], {
    input: stageSchema('Checks of what goes in.', 'input'),
    output: stageSchema('Checks of what comes out.', 'output'),
  })
}

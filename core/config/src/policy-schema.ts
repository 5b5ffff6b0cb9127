/** Safeguard policies as JSON Schema, with defaults: made of the checks that there are. */

import type { Check, CheckKind, ReplaceMethod, Stage } from '@sallyport/core'
import { record, requiring, text } from '@sallyport/kit/schemas'
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

/** Only checks of answers have it. */
const window: JsonSchema = {
  description:
    'What of an answer is checked at a time: `segment` (a sentence or so, which can be streamed), or the whole `answer`.',
  enum: ['segment', 'answer'],
  default: 'segment',
}

const model = text('Id of a model that provides the check.')

const detectors: JsonSchema = {
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
}

const combinedScores: JsonSchema = {
  description:
    'What several detectors say together: that `any` of them finds something, `all`, or the `mean` of their scores.',
  enum: ['any', 'all', 'mean'],
  default: 'any',
}

/** What becomes of what several detectors say. */
const combine: Readonly<Record<CheckKind, JsonSchema>> = {
  score: combinedScores,
  comparison: combinedScores,
  spans: {
    description:
      'What several detectors find together: what `any` of them finds, or what `all` find, as far as it overlaps.',
    enum: ['any', 'all'],
    default: 'any',
  },
}

const ignore: JsonSchema = {
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

const methods = {
  random: '`random` characters of the same shape',
  fake: 'a realistic `fake`',
  category: 'its `category` in angle brackets',
  mask: 'a `mask` (*)',
  remove: 'nothing: `remove` takes it out, and the answer leaves as a whole',
} as const satisfies Readonly<Record<ReplaceMethod, string>>

/** Those that there are. */
export const replaceMethods = Object.keys(methods) as readonly ReplaceMethod[]

const actions: readonly string[] = ['block', 'replace']

/** What somebody meant who wrote a word in the place of an entry. */
export const meantEntry = (word: unknown): string | undefined => {
  if (actions.includes(String(word))) return `{ action: ${String(word)} }`
  return replaceMethods.includes(word as ReplaceMethod) ? `{ action: replace, method: ${String(word)} }` : undefined
}

const replacing = ({ check }: Check): JsonSchema => {
  const known = check.methods ?? []
  if (!known.length) return { ignore }
  const described = known.map((method) => methods[method])
  const last = described.pop() ?? ''
  return {
    action: {
      description: '`block` refuses the text, `replace` replaces what was found.',
      enum: actions,
      default: 'block',
    },
    method: {
      description: `How a finding is replaced: ${described.length ? `${described.join(', ')}, or ${last}` : last}.`,
      enum: known,
      default: known[0],
    },
    ignore,
  }
}

const unreferenced: JsonSchema = {
  description:
    'What becomes of an answer where the request states nothing that it could be compared with: `pass`, or `block`.',
  enum: ['pass', 'block'],
  default: 'pass',
}

const ofKind: Readonly<Record<CheckKind, (check: Check) => JsonSchema>> = {
  score: () => ({}),
  spans: replacing,
  comparison: () => ({ unreferenced }),
}

const named = (names: readonly string[]): JsonSchema => ({
  description: 'The check, where its entry has another name.',
  enum: names,
})

/** Names of options that every check has, whatever its own are called. */
export const commonOptions: readonly string[] = [
  ...['check', 'mode', 'threshold', 'onFailure', 'budget', 'window', 'detectors', 'combine'],
  ...['action', 'method', 'ignore', 'unreferenced'],
]

/** Properties of an entry of the check. */
const entryProperties = (capability: Check, stage: Stage): JsonSchema => {
  const { check, name } = capability
  return {
    check: named([name]),
    ...checkProperties(check.threshold ?? 0.5),
    ...ofKind[check.kind](capability),
    detectors,
    combine: combine[check.kind],
    ...(stage === 'output' ? { window } : {}),
    ...check.options,
  }
}

const descriptionOf = ({ check }: Check, stage: Stage): string => check.stages[stage] ?? ''

const entryOfPolicy = (check: Check, stage: Stage): JsonSchema =>
  record(descriptionOf(check, stage), entryProperties(check, stage), {
    ...requiring(check.check.required ?? []),
    ...(check.check.required?.length ? {} : { short: { type: 'boolean' } }),
  })

/** A caller says these, or always has them so: it enforces what it asks for, and takes no failure for a pass. */
const saidByCallers: readonly string[] = ['mode', 'onFailure', 'action', 'ignore']

/** There whenever a caller asks: a check that is left out has its defaults, and none can be off. */
const entryForCallers = (check: Check, stage: Stage): JsonSchema => {
  const properties = Object.entries(entryProperties(check, stage)).filter(([name]) => !saidByCallers.includes(name))
  return record(descriptionOf(check, stage), Object.fromEntries(properties), {
    ...requiring(check.check.required ?? []),
    ...(check.check.required?.length ? {} : { default: {}, short: { const: true } }),
  })
}

/** The checks of a stage by the names of their entries. */
export type Entries = ReadonlyMap<string, Check>

const stageOf = (description: string, entries: Entries, entry: (check: Check) => JsonSchema): JsonSchema =>
  record(description, Object.fromEntries(Array.from(entries, ([name, check]) => [name, entry(check)])), { default: {} })

/** A policy with such entries. */
export const policySchema = (entries: { readonly [Name in Stage]: Entries }): JsonSchema =>
  record('Which checks run; a check that is left out does not.', {
    input: stageOf('Checks of what goes in.', entries.input, (check) => entryOfPolicy(check, 'input')),
    output: stageOf('Checks of what comes out.', entries.output, (check) => entryOfPolicy(check, 'output')),
  })

export const callerPolicySchema = (entries: { readonly [Name in Stage]: Entries }): JsonSchema =>
  record(
    'How the checks run that a caller asks for; they are always enforced, and block where the detector fails. Where the ' +
      "model's policy has the same check, the stricter of both holds: the lower threshold, and `block` before `replace`.",
    {
      input: stageOf('Checks of what goes in.', entries.input, (check) => entryForCallers(check, 'input')),
      output: stageOf('Checks of what comes out.', entries.output, (check) => entryForCallers(check, 'output')),
    },
  )

/** Checks as data. Policies, requests and the documentation use them; detectors implement them. */

import { capability } from './capability.js'
import type { Capability } from './capability.js'
import { opaque } from './fields.js'
import type { ComparisonDetector, ReplaceMethod, Detector, SpanDetector } from './detector.js'
import { json, list, oneOf } from './shape.js'

export const stages = ['input', 'output'] as const

/** Whether a check runs on the input of a model or on its output. */
export type Stage = (typeof stages)[number]

/** What detectors return: a score of a text, findings with spans, or a comparison of the text with a reference. */
export type CheckKind = 'score' | 'spans' | 'comparison'

/** The reference of a comparison: the statements of the request, or its instructions. */
export type ComparedWith = 'statements' | 'instructions'

/** Alternative sets of option names: all names of one set must be given. */
export type RequiredOptions = readonly (readonly string[])[]

/** The declaration of a check by its author. */
export interface CheckDeclaration {
  /**
   * The stages that it can run in, each with a sentence for the documents: `Looks for toxic text in what comes out.`
   */
  readonly stages: { readonly [Name in Stage]?: string }
  /**
   * Its position among the checks of a stage. Of several that block, the one with the lowest number is reported; checks
   * after one that replaces see the replaced text. Injection has 100, personal information 200,
   * toxicity 300, factuality 400.
   */
  readonly order: number
  /** The error message for a text that it blocks: `failed toxicity check`. */
  readonly message: string
  /** Scores that reach it count where a policy does not set one; 0.5 where absent. */
  readonly threshold?: number
  /**
   * JSON Schemas of its own options by name, with defaults. Entries have them beside the options of every check, and
   * detectors get them as `options`.
   */
  readonly options?: Readonly<Record<string, object>>
  /** Names of own options that an entry must have, as alternative sets: `[['allow']]`, `[['words'], ['lists']]`. */
  readonly required?: RequiredOptions
  /**
   * Makes the canary for the instructions of one request from the check's own options; undefined where it plants none.
   * Called for each request that has instructions, where a policy enforces the check on output.
   */
  readonly plant?: (options: Readonly<Record<string, unknown>>) => Canary | undefined
}

/** A text that is appended to the instructions for the model alone, to recognise them in answers. */
export interface Canary {
  readonly text: string
  /** The options with which detectors inspect the answer. */
  readonly options: Readonly<Record<string, unknown>>
}

interface Replacing {
  /** The methods that an entry may choose, the default first; absent for a check that only blocks. */
  readonly methods?: readonly ReplaceMethod[]
}

interface Comparing {
  readonly comparedWith: ComparedWith
  /** Whether its detectors are also called where there is nothing to compare with. */
  readonly asksWithoutReference?: true
}

/**
 * A capability whose services are detectors: {@link scoreCheck}, {@link spanCheck} and {@link comparisonCheck} make
 * one.
 */
export interface Check<Service extends Detector = Detector> extends Capability<Service> {
  readonly check: CheckDeclaration & Replacing & Partial<Comparing> & { readonly kind: CheckKind }
}

/** Guarding detectors would never end, because the chain calls them itself. */
const unguardedDetector = { reason: 'a detector is called by the chain itself' } as const

const typeName = opaque('the name of a type of finding')
const options = json(opaque('options of the operator, or of whoever asks a check by itself'))

/** The shape of {@link Finding}s as detectors report them. */
export const findingsShape = list({ type: typeName, start: 'number', end: 'number', score: 'number' } as const)
const origin = oneOf('user', 'system', 'document', 'tool', 'model')

const inspection = {
  kind: 'call',
  request: {
    text: 'text',
    'before?': 'text',
    'origin?': origin,
    'from?': 'number',
    'offset?': 'number',
    'reference?': 'text',
    'options?': options,
  },
  result: {
    findings: findingsShape,
    score: 'number',
    explanation: opaque('made by the detector from templates'),
    detector: opaque('a name and version'),
    latency: 'number',
    'reason?': opaque('a few words of the detector’s own'),
  },
} as const

const scoreMethods = { inspect: inspection }

const spanMethods = {
  inspect: {
    ...inspection,
    request: { ...inspection.request, 'ignore?': list(typeName), 'isProgramName?': 'boolean' },
  },
  inspectAcross: {
    kind: 'call',
    optional: true,
    request: { values: list({ text: 'text', 'name?': 'text' }), 'ignore?': list(typeName), 'options?': options },
    result: inspection.result,
  },
  replace: {
    kind: 'call',
    optional: true,
    request: {
      text: 'text',
      findings: findingsShape,
      method: oneOf('random', 'fake', 'category', 'mask', 'remove'),
      'avoid?': list('text'),
    },
    result: { text: 'text', spans: list({ start: 'number', end: 'number', type: typeName }) },
  },
  openSpans: {
    kind: 'call',
    optional: true,
    request: { text: 'text', 'options?': options },
    result: { spans: list({ start: 'number', end: 'number' }) },
  },
} as const

const comparisonMethods = {
  inspect: {
    ...inspection,
    result: {
      ...inspection.result,
      'claims?': list({
        start: 'number',
        end: 'number',
        score: 'number',
        support: list({ start: 'number', end: 'number' }),
        differences: list(oneOf('number', 'name', 'date', 'negation', 'opposite')),
      }),
    },
  },
} as const

/**
 * Its detectors score a text: 1 is the bad end. With `methods`, a policy can cut out the passages that they report, and
 * what remains is judged again.
 */
export const scoreCheck = (name: string, declaration: CheckDeclaration & Replacing): Check => ({
  ...capability<Detector>()(name, { guarded: unguardedDetector, methods: scoreMethods }),
  check: { ...declaration, kind: 'score' },
})

/** Its detectors report spans, which a policy can replace. */
export const spanCheck = (name: string, declaration: CheckDeclaration & Replacing): Check<SpanDetector> => ({
  ...capability<SpanDetector>()(name, { guarded: unguardedDetector, methods: spanMethods }),
  check: { ...declaration, kind: 'spans' },
})

/** Its detectors compare what comes out with a text of the request. */
export const comparisonCheck = (
  name: string,
  declaration: CheckDeclaration & Comparing,
): Check<ComparisonDetector> => ({
  ...capability<ComparisonDetector>()(name, { guarded: unguardedDetector, methods: comparisonMethods }),
  check: { ...declaration, kind: 'comparison' },
})

export const isCheck = (capability: Capability): capability is Check => 'check' in capability

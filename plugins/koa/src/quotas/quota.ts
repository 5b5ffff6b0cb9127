/** What a key or a team may use: as options of the configuration, and as keys have them. */

import type { OptionsOf, OptionsSchema } from '@sallyport/core'

const count = (description: string) => ({ type: 'integer' as const, minimum: 1, description })

export const maxWeight = 1000

const limitProperties = {
  rpm: count('requests per minute'),
  tpm: count('tokens per minute, of prompts and answers'),
  tokensPerDay: count('tokens per day, in UTC'),
  tokensPerMonth: count('tokens per calendar month, in UTC'),
  running: count('requests that are read, wait or run at the same time; further ones get 429'),
  budget: {
    type: 'number' as const,
    minimum: 0,
    description: 'money per calendar month, in UTC, in the currency of the prices',
  },
}

const quotaProperties = {
  ...limitProperties,
  weight: {
    type: 'number' as const,
    exclusiveMinimum: 0,
    maximum: maxWeight,
    description: 'turns in the queue, where a key of weight 1 has one; default: 1',
  },
}

const price = { type: 'number' as const, default: 0, minimum: 0 }

/** `server.quotas` of a configuration. */
export const quotasSchema = {
  type: 'object',
  additionalProperties: false,
  default: {},
  description: 'what keys and teams may use; absent: no limits, but usage is counted',
  properties: {
    default: {
      type: 'object',
      additionalProperties: false,
      default: {},
      description: 'of each key that has no quota of its own, and of a server without authentication',
      properties: quotaProperties,
    },
    teams: {
      type: 'object',
      default: {},
      description: 'of teams, by name: groups of keys that share a quota beside their own',
      additionalProperties: { type: 'object', additionalProperties: false, default: {}, properties: limitProperties },
    },
    prices: {
      type: 'object',
      default: {},
      description: 'prices of models, by id, per million tokens; others are free',
      additionalProperties: {
        type: 'object',
        additionalProperties: false,
        default: {},
        properties: {
          input: { ...price, description: 'of tokens of prompts' },
          output: { ...price, description: 'of tokens of answers' },
        },
      },
    },
    sync: {
      type: 'boolean',
      default: false,
      description:
        'whether usage is on the disk before the last byte of an answer leaves, so that it outlives power loss',
    },
  },
} as const satisfies OptionsSchema

export type QuotasOptions = OptionsOf<typeof quotasSchema>

/** What a key or a team may use; nothing is limited by what is absent. */
export type Quota = QuotasOptions['default']

export type QuotaName = keyof typeof quotaProperties

export const quotaNames = Object.keys(quotaProperties) as QuotaName[]

/** A key's own quota; null: no limit, even where the default has one. */
export type KeyQuota = { readonly [Name in QuotaName]?: number | null }

/** Members to set of a key's own quota; undefined: what the configuration says. */
export type QuotaChange = { readonly [Name in QuotaName]?: number | null | undefined }

/** Whether a value may stand for this name in a quota. */
export const isQuotaValue = (name: QuotaName, value: number): boolean => {
  const {
    type,
    minimum = 0,
    ...bounds
  } = quotaProperties[name] as {
    readonly type: 'integer' | 'number'
    readonly minimum?: number
    readonly exclusiveMinimum?: number
    readonly maximum?: number
  }
  const { exclusiveMinimum = -1, maximum = Number.MAX_SAFE_INTEGER } = bounds
  if (type === 'integer' && !Number.isInteger(value)) return false
  return value >= minimum && value > exclusiveMinimum && value <= maximum
}

/** What a value of this name must be, for messages. */
export const allowedValue = (name: QuotaName): string => {
  if (name === 'weight') return `a number above 0, up to ${maxWeight}`
  return name === 'budget' ? 'a number from 0 upwards' : 'a whole number from 1 upwards'
}

/** Parses the quota of a stored key; undefined where it is none. */
export const isKeyQuota = (value: unknown): value is KeyQuota =>
  typeof value === 'object' &&
  value !== null &&
  Object.entries(value).every(
    ([name, member]) =>
      quotaNames.includes(name as QuotaName) &&
      (member === null || (typeof member === 'number' && isQuotaValue(name as QuotaName, member))),
  )

/** What holds for a key: its own quota, and the default where it has none. */
export const effectiveQuota = (defaults: Quota, own: KeyQuota): Quota =>
  Object.fromEntries(Object.entries({ ...defaults, ...own }).filter(([, value]) => value !== null))

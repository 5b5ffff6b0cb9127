/** Quotas at the command line. */

import type { CommandDefinition } from '@sallyport/core'
import { invalidField } from '../invalid-field.js'
import { allowedValue, isQuotaValue, quotaNames } from '../quotas/quota.js'
import type { KeyQuota, QuotaChange, QuotaName } from '../quotas/quota.js'

const descriptions: Readonly<Record<QuotaName, string>> = {
  rpm: 'requests per minute',
  tpm: 'tokens per minute',
  tokensPerDay: 'tokens per day',
  tokensPerMonth: 'tokens per month',
  running: 'requests at the same time',
  budget: 'money per month, in the currency of the prices',
  weight: 'turns in the queue, where others have one',
}

const flagOf = (name: QuotaName): string => `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`

/** A number, or "none" for no limit, or "default" for what the configuration says. */
export const quotaOptions: NonNullable<CommandDefinition['options']> = [
  ...quotaNames.map((name) => ({
    flags: `${flagOf(name)} <number>`,
    description: `${descriptions[name]}; none: no limit; default: what the configuration says`,
  })),
  { flags: '--team <name>', description: 'a team of the configuration, whose quota it shares; none: it has no team' },
]

export interface QuotaFlags {
  readonly quota: QuotaChange
  /** Empty: none; undefined: it is not named. */
  readonly team: string | undefined
}

/** @throws invalid_request */
export const readQuotaFlags = (options: Readonly<Record<string, unknown>>): QuotaFlags => {
  const given = quotaNames.filter((name) => options[name] !== undefined)
  const team = options['team'] as string | undefined
  if (team !== undefined && !team.trim()) throw invalidField('--team', 'must name a team, or none')
  return {
    quota: Object.fromEntries(given.map((name) => [name, valueOf(name, String(options[name]))])),
    team: team === 'none' ? '' : team?.trim(),
  }
}

const valueOf = (name: QuotaName, text: string): number | null | undefined => {
  if (text === 'default') return undefined
  if (text === 'none') return null
  const value = text.trim() ? Number(text) : NaN
  if (isQuotaValue(name, value)) return value
  throw invalidField(flagOf(name), `must be ${allowedValue(name)}, or none, or default`)
}

/** Shows a quota: `rpm 60, tpm none`. */
export const describeQuota = (quota: KeyQuota = {}): string =>
  quotaNames
    .flatMap((name) => (quota[name] === undefined ? [] : [`${flagOf(name).slice(2)} ${quota[name] ?? 'none'}`]))
    .join(', ')

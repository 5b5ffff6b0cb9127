/** Validates the checks that callers request. Without this, a misspelt check would be ignored silently. */

import { failure, stages } from '@sallyport/core'
import type { RequestedChecks, Check, PolicyEntries, Policy, Stage } from '@sallyport/core'
import { isRecord } from '@sallyport/kit/json'
import { didYouMean } from '@sallyport/kit/text'

/** @throws invalid_request with the field */
export const validateRequestedChecks = (
  safeguards: unknown,
  callerPolicy: Policy,
  checks: ReadonlyMap<string, Check>,
): RequestedChecks => {
  if (!isRecord(safeguards)) throw invalid('safeguards', 'must be an object')
  for (const [stage, requested] of Object.entries(safeguards)) {
    const field = `safeguards.${stage}`
    if (!isStage(stage)) throw invalid(field, `is unknown${didYouMean(stage, stages)}`)
    if (requested === undefined) continue
    if (!isRecord(requested)) throw invalid(field, 'must be an object')
    for (const [name, value] of Object.entries(requested)) {
      const check = checkNamed(name, stage, callerPolicy, checks)
      const problem = problemOf(value, check)
      if (problem !== undefined) throw invalid(`${field}.${name}`, problem)
    }
  }
  return safeguards
}

const invalid = (field: string, problem: string) => failure('invalid_request', { field, problem })

const isStage = (name: string): name is Stage => (stages as readonly string[]).includes(name)

const checkNamed = (name: string, stage: Stage, callerPolicy: Policy, checks: ReadonlyMap<string, Check>): Check => {
  const own = (entries: PolicyEntries) => (Object.hasOwn(entries, name) ? entries[name] : undefined)
  const entry = own(callerPolicy[stage])
  const check = entry && checks.get(entry.check)
  if (check) return check
  const field = `safeguards.${stage}.${name}`
  const other = stage === 'input' ? 'output' : 'input'
  if (own(callerPolicy[other])) throw invalid(field, `is an ${other} check: request it under ${other}`)
  throw invalid(field, `is not a known check${didYouMean(name, Object.keys(callerPolicy[stage]))}`)
}

const problemOf = (value: unknown, { check: { kind, ...check } }: Check): string | undefined => {
  const methods: readonly string[] = check.methods ?? []
  if (typeof value === 'boolean' || value === undefined) return undefined
  const allowed = methods.length ? 'true, false, "block", "replace" or an object' : 'true or false'
  if (!methods.length) return `must be ${allowed}`
  if (!isRecord(value)) return isAction(value) ? undefined : `must be ${allowed}`
  const { action, method, ignore } = value
  const fields = ['action', 'method', ...(kind === 'spans' ? ['ignore'] : [])]
  const other = Object.keys(value).find((field) => !fields.includes(field))
  if (other !== undefined) return `has an unknown field "${other}"${didYouMean(other, fields)}`
  if (!isAction(action)) return 'must have an action: "block" or "replace"'
  if (method !== undefined && !methods.includes(method as string))
    return `must have one of these methods: ${methods.join(', ')}`
  const isList = Array.isArray(ignore) && ignore.every((type) => typeof type === 'string')
  return ignore === undefined || isList ? undefined : 'must have a list of finding types in ignore'
}

const isAction = (value: unknown): boolean => value === 'block' || value === 'replace'

import { readFileSync } from 'node:fs'
import { Turns } from '@sallyport/core'
import type { Call } from '@sallyport/core'
import { modelFolder } from '../src/models.js'

export const callOf = (overrides: Partial<Call> = {}): Call => ({
  signal: new AbortController().signal,
  deadline: Date.now() + 60_000,
  requestId: 'test',
  tenant: 'tenant',
  ...overrides,
})

export const turnsOf = () => new Turns(callOf())

/** What the training scripts wrote beside a model. */
export const vectorsOf = <Vector>(name: string): Vector[] =>
  JSON.parse(readFileSync(new URL(`../test/vectors/${name}.tests.json`, modelFolder), 'utf8')) as Vector[]

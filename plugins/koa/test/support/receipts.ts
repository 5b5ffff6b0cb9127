/** Asking for receipts, and reading them. */

import type { ConfigInput } from '@sallyport/core'
import type { TestModel } from './kernel.js'
import { player, repeater, speaker, toolbox } from './models.js'
import { sharedServer } from './server.js'

export interface Receipt {
  check: string
  stage: string
  verdict: string
  mode: string
  score?: number
  detector?: string
  latency_ms: number
  findings: Record<string, number>
  spans?: { field: string; type: string; start: number; end: number; score: number }[]
}

export const asked = { 'x-safeguards-receipt': 'true' }

/** Says something personal. */
const rude: TestModel = player('rude', [{ delta: 'Ann is here. ' }, { delta: 'Mail a@b.de.' }, { finish: 'stop' }])

export const models = [speaker, rude, repeater, toolbox]

interface Answer {
  readonly status: number
  /** `x-safeguards` */
  readonly header: string | null
  readonly text: string
}

export const ask = async (
  path: string,
  body: object,
  headers: Record<string, string> = asked,
  given: readonly TestModel[] = models,
  config: ConfigInput = {},
): Promise<Answer> => {
  const response = await (await sharedServer(given, config)).post(path, body, headers)
  return { status: response.status, header: response.headers.get('x-safeguards'), text: await response.text() }
}

export const receiptsIn = (text: string): Receipt[] => (JSON.parse(text) as { safeguards: Receipt[] }).safeguards

export const eventsIn = (text: string): string[] =>
  text
    .split('\n\n')
    .filter((line) => line.startsWith('data: {'))
    .map((line) => line.slice('data: '.length))

export const chat = (messages: unknown, rest: object = {}) => ({ model: 'speaker', messages, ...rest })
export const piiBlock = { input: { pii: 'block' } }
export const piiReplace = { input: { pii: 'replace' } }

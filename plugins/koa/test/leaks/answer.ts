/** What an answer says, whether it is streamed or not. */

import { isRecord } from '@sallyport/kit/json'
import type { Schema } from '../../src/schemas/schema.js'
import type { RouteSchemas } from '../../src/routes/route.js'
import { stringsOf } from './leaves.js'
import type { Said } from './leaves.js'
import type { Answer } from './stage.js'

export interface Heard {
  /** What went wrong, in words; undefined when nothing did. */
  readonly error: string | undefined
  /** The texts, each as a whole however it came. */
  readonly said: readonly Said[]
}

/** Fields of a response that repeat what its caller said, which is nothing that comes out. */
const repeated: ReadonlySet<string> = new Set(['instructions', 'tools', 'text'])

const withoutRepeated = (value: unknown): unknown => {
  if (!isRecord(value)) return value
  if (value['object'] !== 'response')
    return { ...value, ...('response' in value && { response: withoutRepeated(value['response']) }) }
  return Object.fromEntries(Object.entries(value).filter(([name]) => !repeated.has(name)))
}

/** The answer without what a response repeats of its request. */
export const ownWords = (answer: Answer): Answer => {
  if (!answer.body.includes('"object":"response"')) return answer
  const lines = answer.body.split('\n').map((line) => {
    const [, prefix = '', json = ''] = /^(data: |)(\{.*)$/.exec(line) ?? []
    return json ? prefix + JSON.stringify(withoutRepeated(JSON.parse(json))) : line
  })
  return { ...answer, body: lines.join('\n') }
}

export const hear = ({ status, headers, body }: Answer, { response, chunk }: RouteSchemas): Heard => {
  if (status !== 200) return { error: body, said: [] }
  if (headers.includes("'content-type', 'text/plain"))
    return { error: undefined, said: [{ key: '', path: [], text: unescaped(body), declared: 'text' }] }
  if (!/^(?:data|event): /.test(body)) return { error: undefined, said: joined(strings(response, [JSON.parse(body)])) }
  const events = body
    .split('\n')
    .filter((event) => event.startsWith('data: {'))
    .map((event) => JSON.parse(event.slice('data: '.length)) as object)
  const errors = events.map(errorOf).filter((error) => error !== undefined && error !== null)
  return {
    error: errors.length ? JSON.stringify(errors) : undefined,
    said: joined(
      strings(
        chunk,
        events.filter((event) => !('error' in event)),
      ),
    ),
  }
}

/** Of an event that is an error, or of the response that has failed. */
const errorOf = (event: { readonly error?: unknown; readonly response?: { readonly error?: unknown } }): unknown =>
  event.error ?? event.response?.error

const strings = (schema: Schema | undefined, values: readonly unknown[]): Said[] =>
  values.flatMap((value) => stringsOf(schema, value))

const joined = (said: readonly Said[]): Said[] => {
  const byKey = new Map<string, Said>()
  for (const one of said) {
    const before = byKey.get(one.key)
    byKey.set(one.key, before ? { ...before, text: before.text + one.text } : one)
  }
  return [...byKey.values()]
}

/** As WebVTT writes it. */
const unescaped = (text: string): string =>
  text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')

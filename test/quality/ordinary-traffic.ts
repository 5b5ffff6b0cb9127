/** Requests as they come every day, by kind: what is found in them by chance is a false alarm. */

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ChatMessage, ChatRequest, FunctionTool, RerankRequest } from '@sallyport/core'
import { randomNumbers } from '@sallyport/kit/numbers'
import { readRows } from './data.js'

export type OrdinaryRequest = ({ readonly chat: ChatRequest } | { readonly rerank: RerankRequest }) & {
  /** Values in it that stand beside others. */
  readonly values: number
}

const user = (content: string): ChatMessage => ({ role: 'user', content })

const random = randomNumbers(16)
const below = (most: number): number => Math.floor(random() * most)
const digits = (count: number): string => Array.from({ length: count }, () => below(10)).join('')
const hexadecimal = (count: number): string => Array.from({ length: count }, () => below(16).toString(16)).join('')
const oneOf = <Item>(items: readonly Item[]): Item => items[below(items.length)] as Item

/** What rows of values are made of. */
const makers: Readonly<Record<string, () => unknown>> = {
  'whole numbers': () => Math.floor(10 ** (1 + random() * 10)),
  'numbers of one length': () => 10 ** 7 + below(9 * 10 ** 7),
  'numbers below zero, too': () => below(20_000) - 10_000,
  decimals: () => Math.round(random() * 10 ** (1 + below(6))) / 10 ** below(5),
  coordinates: () => Number((random() * 360 - 180).toFixed(1 + below(6))),
  'digits as texts': () => digits(4 * (1 + below(3))),
  'years and small numbers': () => (random() < 0.5 ? 1900 + below(130) : below(300)),
  'times in milliseconds': () => 1_700_000_000_000 + below(10 ** 11),
  versions: () => Array.from({ length: 1 + below(4) }, () => below(random() < 0.5 ? 10 : 60)).join('.'),
  'hexadecimal ids': () => hexadecimal(8 + 4 * below(8)),
  UUIDs: () => [8, 4, 4, 4, 12].map(hexadecimal).join('-'),
  'ids with dashes': () => `${digits(3)}-${digits(1 + below(4))}`,
  'ids of letters and digits': () => `${oneOf(['DE', 'GB', 'AB', 'SKU', 'X'])}${digits(2 + below(8))}`,
  days: () => `${2000 + below(40)}-${digits(1)}${1 + below(9)}-${below(3)}${digits(1)}`,
  hours: () => `${10 + below(14)}:${10 + below(50)}`,
  prices: () => (random() * 10 ** (1 + below(5))).toFixed(2),
  handles: () => oneOf(['', '@', '@types/', '@acme/']) + oneOf(['jane', 'core', 'bob_k', 'index.js', 'node', 'v2.0.1']),
  domains: () =>
    `${oneOf(['www', 'api', 'mail', 'jane'])}${oneOf(['.acme', '-blue', ''])}.${oneOf(['com', 'org', 'de', 'io'])}`,
  hosts: () => `${oneOf(['10.0', '192.168', '203.0'])}.${below(255)}.${below(255)}:${below(65_536)}`,
}

const rowsOf = (make: () => unknown): OrdinaryRequest[] => {
  const contents = Array.from({ length: 100 }, (_, at) => {
    const row = Array.from({ length: 100 }, make)
    const table = Array.from({ length: 25 }, () => ({ id: make(), value: make(), other: make(), last: make() }))
    return JSON.stringify(at % 2 ? row : table)
  })
  return contents.map((content) => ({ chat: { messages: [user(content)] }, values: 100 }))
}

const countValues = (value: unknown): number =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).reduce((sum, [, inner]) => sum + countValues(inner), 0)
    : 1

/** Files of packages, up to so many characters of each. */
const longestFile = 200_000
const mostFiles = 1_500

const jsonFiles = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.json'))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()

const documents = (): OrdinaryRequest[] => {
  const contents = [...jsonFiles('node_modules').slice(0, mostFiles), 'package-lock.json', 'config/schema.json']
    .map((file) => readFileSync(file, 'utf8').slice(0, longestFile + 1))
    .filter((content) => content.length <= longestFile && isJson(content))
  return contents.map((content) => ({ chat: { messages: [user(content)] }, values: countValues(JSON.parse(content)) }))
}

const isJson = (text: string): boolean => {
  try {
    return typeof JSON.parse(text) === 'object'
  } catch {
    return false
  }
}

interface CallRow {
  readonly messages: readonly { readonly role: 'system' | 'user'; readonly content: string }[]
  readonly tools: readonly { readonly function: FunctionTool }[]
  readonly ground_truth: readonly Readonly<Record<string, Readonly<Record<string, readonly unknown[]>>>>[] | null
}

/** With the calls that are expected, several in one message. */
const calls = (): OrdinaryRequest[] => {
  const rows = readRows<CallRow>('llm/tool_calls.jsonl')
  return rows.map(({ messages, tools, ground_truth: truth }): OrdinaryRequest => {
    const toolCalls = (truth ?? []).flatMap((one) =>
      Object.entries(one).map(([name, values], at) => ({
        id: `call_${at}`,
        name,
        arguments: JSON.stringify(Object.fromEntries(Object.entries(values).map(([key, [value]]) => [key, value]))),
      })),
    )
    const said: ChatMessage[] = messages.map(({ role, content }) => ({ role, content }))
    const made: ChatMessage = { role: 'assistant', content: '', toolCalls }
    const chat = { messages: [...said, made], tools: tools.map((tool) => tool.function) }
    return { chat, values: countValues([messages, tools, truth]) }
  })
}

const schemas = (): OrdinaryRequest[] => {
  const rows = [
    ...readRows<{ schema: unknown }>('llm/json_schema_sample.jsonl'),
    ...readRows<{ schema: unknown }>('llm/openai_schemas.jsonl'),
  ]
  const parsed = rows.map(({ schema }) => (typeof schema === 'string' ? (JSON.parse(schema) as unknown) : schema))
  return parsed.map((parameters, at) => ({
    chat: { messages: [user('Go on.')], tools: [{ name: `tool_${at}`, description: 'Does it.', parameters }] },
    values: countValues(parameters),
  }))
}

const ranked = (): OrdinaryRequest[] => {
  const rows = readRows<{ query: string; candidates: { text: string }[] }>('rerank/wice_evidence_dev_sample.jsonl')
  return rows.map(({ query, candidates }) => ({
    rerank: { query, documents: candidates.map(({ text }) => text) },
    values: 1 + candidates.length,
  }))
}

/** Turns of users and of the assistant: what people write to models, harmless or not, and sentences. */
const chats = (): OrdinaryRequest[] => {
  const texts = ['injection/labelled.jsonl', 'toxicity/labelled.jsonl', 'factuality/labelled.jsonl']
    .flatMap((file) => readRows<Readonly<Record<string, unknown>>>(file))
    .flatMap(
      (row) => Object.values(row).filter((value) => typeof value === 'string' && value.includes(' ')) as string[],
    )
  return Array.from({ length: Math.ceil(texts.length / turns) }, (_, at): OrdinaryRequest => {
    const said = texts.slice(at * turns, (at + 1) * turns)
    const messages = said.map((content, turn): ChatMessage => ({ role: turn % 2 ? 'assistant' : 'user', content }))
    return { chat: { messages }, values: messages.length }
  })
}

const turns = 6

/** By the name of the kind. */
export const ordinaryTraffic: Readonly<Record<string, () => OrdinaryRequest[]>> = {
  'chat turns': chats,
  'tools and calls': calls,
  'schemas of tools': schemas,
  'documents to rank': ranked,
  'JSON files': documents,
  ...Object.fromEntries(Object.entries(makers).map(([kind, make]) => [`rows of ${kind}`, () => rowsOf(make)] as const)),
}

import * as checks from '@sallyport/checks'
/** Models that say a text in the place that they are told, or in every place what they have been shown. */

import { capabilities } from '@sallyport/core'
import { tale } from './stranger.js'
import type { AnyFields, Call, Capability, ChatRequest, Leaf, MethodDeclaration } from '@sallyport/core'
import { isRecord } from '@sallyport/kit/json'
import { allStrings } from './leaves.js'
import { harmless } from './secret.js'
import type { Spelling } from './secret.js'

/** Where in what a method answers: `stream.toolCall.arguments`. */
export type Place = string

/** What a model is to say in answer to one request. */
export interface Script {
  readonly place: Place
  readonly spelling: Spelling
  /** Which of several answers says it; the others say nothing of interest. */
  readonly choice: number
}

/** A method that was called; the kernel calls some of its own accord, to count tokens. */
interface Called {
  readonly capability: string
  readonly declaration: MethodDeclaration
}

/** What has become of one request. */
export interface Scene {
  readonly script: Script | undefined
  /** Requests that reached a model. */
  readonly shown: unknown[]
  /** And those that reached a detector. */
  readonly inspected: unknown[]
  readonly called: Called[]
}

/** Answers that hold every leaf; of streams, the pieces. */
const answers: Readonly<Record<string, unknown>> = {
  'chat.stream': [
    { reasoning: harmless },
    { delta: harmless, logprobs: [{ token: harmless, logprob: -1, top: [{ token: harmless, logprob: -2 }] }] },
    { toolCall: { index: 0, id: 'call_1', name: harmless, arguments: harmless } },
    { finish: 'stop', stopSequence: harmless },
  ],
  'completion.stream': [
    { delta: harmless, logprobs: [{ token: harmless, logprob: -1, top: [{ token: harmless, logprob: -2 }] }] },
    { finish: 'stop', stopSequence: harmless },
  ],
  'embedding.embed': { vectors: [Float32Array.of(0.5)], promptTokens: 1 },
  'rerank.rerank': { ranking: [{ index: 0, score: 0.5 }], promptTokens: 1 },
  'tokens.tokenize': { tokens: [{ id: 1, text: harmless, start: 0, end: 1 }] },
  'tokens.detokenize': { text: harmless },
  'translation.translate': {
    candidates: [{ translation: harmless, score: 0.5, model: 'engine', status: 'success' }],
  },
  'translation.pairs': { pairs: [] },
  'transcription.stream': [
    { segment: { text: harmless, start: 0, end: 1, words: [{ text: harmless, start: 0, end: 1 }] } },
    { language: 'en', duration: 1 },
  ],
  'tools.list': { servers: [{ label: harmless, tools: [] }] },
  'tools.call': { output: harmless },
  'tale.tell': { tale: harmless, notes: [{ text: harmless }], names: { [harmless]: harmless } },
  'tale.sing': [{ delta: harmless, names: { [harmless]: harmless } }],
  'extraction.extract': {
    title: harmless,
    headings: [harmless],
    parts: [{ text: harmless, attribute: harmless, headings: [0] }],
    words: 1,
  },
}

const isLeaf = (fields: AnyFields): fields is Leaf => typeof fields === 'string' || 'opaque' in fields
const isPair = (fields: AnyFields): fields is readonly [Leaf, AnyFields] => Array.isArray(fields)

/** The place of the keys of a record. */
const keyPlace = '(key)'

/** Rewrites the strings of an answer; those that become undefined are left out. */
const rewrite = (
  fields: AnyFields,
  value: unknown,
  say: (place: string, leaf: Leaf, text: string) => string | undefined,
  place: readonly string[] = [],
): unknown => {
  if (Array.isArray(value)) return value.map((item) => rewrite(fields, item, say, place))
  if (isPair(fields)) return rewrite(fields[typeof value === 'string' ? 0 : 1], value, say, place)
  if (isLeaf(fields)) return typeof value === 'string' ? say(place.join('.'), fields, value) : value
  if (!isRecord(value) || ArrayBuffer.isView(value)) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, inner]) => {
      const isNamed = fields[key] !== undefined
      const declared = fields[key] ?? fields['*']
      if (!declared) return [[key, inner]]
      const newKey = isNamed || !hasText(declared) ? key : say([...place, keyPlace].join('.'), 'text', key)
      const rewritten = rewrite(declared, inner, say, [...place, isNamed ? key : '*'])
      return newKey === undefined || rewritten === undefined ? [] : [[newKey, rewritten]]
    }),
  )
}

const leavesOf = (fields: AnyFields, place: readonly string[] = []): { place: string; leaf: Leaf }[] => {
  if (isPair(fields)) return [...leavesOf(fields[0], place), ...leavesOf(fields[1], place)]
  if (isLeaf(fields)) return [{ place: place.join('.'), leaf: fields }]
  return Object.entries(fields).flatMap(([key, inner]: [string, AnyFields]) => [
    ...(key === '*' && hasText(inner) ? [{ place: [...place, keyPlace].join('.'), leaf: 'text' as const }] : []),
    ...leavesOf(inner, [...place, key]),
  ])
}

const hasText = (fields: AnyFields): boolean => leavesOf(fields).some(({ leaf }) => typeof leaf === 'string')

/** Where a model can say something of its own. What is a copy is said together with what it is a copy of. */
export const placesOf = ({ methods, guarded }: Capability): Place[] =>
  guarded === true
    ? Object.entries(methods).flatMap(([name, { output }]) =>
        leavesOf(output)
          .filter(({ leaf }) => typeof leaf === 'string' && leaf !== 'copy')
          .map(({ place }) => `${name}.${place}`),
      )
    : []

/** What the capability declares the place to be. */
export const leafAt = ({ methods }: Capability, place: Place): Leaf | undefined =>
  Object.entries(methods)
    .flatMap(([name, { output }]) => leavesOf(output).map((one) => ({ ...one, place: `${name}.${one.place}` })))
    .find((one) => one.place === place)?.leaf

const chunksOf = ({ text, chunk }: Spelling): string[] =>
  Array.from({ length: Math.ceil(text.length / Math.min(chunk, text.length)) }, (_, at) =>
    text.slice(at * chunk || 0, (at + 1) * chunk),
  )

/** The piece, once for each chunk where its text may come in chunks; all but the first say nothing else. */
const piecesSaying = (fields: AnyFields, piece: unknown, place: string, spelling: Spelling): unknown[] => {
  const kind = leavesOf(fields).find((leaf) => leaf.place === place)?.leaf
  const places = new Set<string>()
  rewrite(fields, piece, (at, _, text) => {
    places.add(at)
    return text
  })
  if (!places.has(place)) return [piece]
  return (kind === 'delta' ? chunksOf(spelling) : [spelling.text]).map((chunk, count) =>
    rewrite(fields, piece, (at, leaf, text) => {
      if (at === place || (leaf === 'copy' && kind === 'delta')) return chunk
      return count ? undefined : text
    }),
  )
}

const echoed = (fields: AnyFields, answer: unknown, text: string): unknown =>
  rewrite(fields, answer, (_, leaf, old) => (typeof leaf === 'string' && leaf !== 'aside' ? text : old))

/** Tools are called that there are, under the name that is known here. */
const asAsked = (answer: readonly object[], request: unknown, mayCall: boolean): readonly object[] => {
  const { tools = [] } = request as Partial<ChatRequest>
  const calls = mayCall && tools.some(({ name }) => name === harmless)
  return answer.filter((piece) => calls || !('toolCall' in piece))
}

/** The text as JSON, by the schema, where that is asked for. */
const inFormat = (request: unknown, text: string): string => {
  const { responseFormat = { type: 'text' } } = request as Partial<ChatRequest>
  if (responseFormat.type === 'text') return text
  const schema = responseFormat.type === 'json_schema' ? (responseFormat.schema as JsonValue) : {}
  return JSON.stringify(schema.const ?? schema.enum?.[0] ?? { said: text })
}

interface JsonValue {
  readonly const?: unknown
  readonly enum?: readonly unknown[]
}

/** @param scenes by the id of the request */
const answerTo = (name: string, declaration: MethodDeclaration, scenes: ReadonlyMap<string, Scene>) => {
  const { kind, output } = declaration
  const pieces = (request: unknown, { requestId }: Call): readonly unknown[] => {
    const scene = scenes.get(requestId)
    const answer = answers[name]
    if (!scene || answer === undefined) throw new Error(`nothing is known that ${name} could say`)
    scene.shown.push(request)
    const [capability = '', method = ''] = name.split('.')
    const count = scene.called.filter((one) => one.declaration === declaration).length
    scene.called.push({ capability, declaration })
    const { script } = scene
    const template = kind === 'stream' ? asAsked(answer as object[], request, script !== undefined) : [answer]
    if (!script)
      return template.map((piece) => echoed(output, piece, inFormat(request, allStrings(request).join('\n'))))
    if (count !== script.choice || !script.place.startsWith(`${method}.`)) return template
    const place = script.place.slice(method.length + 1)
    return template.flatMap((piece) => piecesSaying(output, piece, place, script.spelling))
  }
  if (kind === 'call') return (request: unknown, call: Call) => Promise.resolve(pieces(request, call)[0])
  return async function* (request: unknown, call: Call) {
    for (const piece of pieces(request, call)) {
      await Promise.resolve()
      yield piece
    }
  }
}

/** Services of every guarded capability that something is known to say for. */
export const speakers = (scenes: ReadonlyMap<string, Scene>): Record<string, object> =>
  Object.fromEntries(
    Object.values<Capability>({ ...capabilities, ...checks, tale })
      .filter(({ name }) => Object.keys(answers).some((answer) => answer.startsWith(`${name}.`)))
      .map(({ name, methods }) => [
        name,
        Object.fromEntries(
          Object.entries(methods).map(([method, declaration]) => [
            method,
            answerTo(`${name}.${method}`, declaration, scenes),
          ]),
        ),
      ]),
  )

/** Detectors that note what they are asked. */
export const noting = (
  services: Readonly<Record<string, object>>,
  scenes: ReadonlyMap<string, Scene>,
): Record<string, object> =>
  Object.fromEntries(
    Object.entries(services).map(([name, methods]) => [
      name,
      Object.fromEntries(
        Object.entries(methods).map(([method, answer]: [string, (request: unknown, call: Call) => unknown]) => [
          method,
          (request: unknown, call: Call) => {
            scenes.get(call.requestId)?.inspected.push(request)
            return answer(request, call)
          },
        ]),
      ),
    ]),
  )

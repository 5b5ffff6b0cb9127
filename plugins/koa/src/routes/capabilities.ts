/** Serves the capabilities that plugins define, by their shapes. */

import { failure, nameOfMember } from '@sallyport/core'
import type { AnyShape, CallOptions, Capability, MethodDeclaration } from '@sallyport/core'
import { inputAndOutputFields } from '../safeguards/placement.js'
import { safeguardSchemas } from '../safeguards/requested-checks.js'
import type { JsonObject, Schema } from '../schemas/schema.js'
import { fromWire, toWire, schemaOf } from '../schemas/shapes.js'
import { events, json } from './answer.js'
import type { Answer } from './answer.js'
import { post } from './body-routes.js'
import type { Exchange } from './exchange.js'
import { modelIdsRoute } from './route.js'
import type { Route, RouteSettings } from './route.js'
import { objectOf, envelopeFields, listOf, modelName } from '../schemas/common.js'

/** Fields of every body beside those of the method's request. */
const reserved = ['model', 'input', 'output', 'stream']

interface CapabilityBody extends JsonObject {
  readonly model?: string
  readonly stream?: boolean
}

interface ServedMethod {
  readonly capability: Capability
  readonly name: string
  readonly method: MethodDeclaration
}

/** @throws plugin_invalid where a request has a field that means something else in every body */
export const capabilityRoutes = (capabilities: readonly Capability[]): readonly Route[] =>
  capabilities.flatMap((capability) => {
    const methods = Object.entries(capability.methods)
    return methods.flatMap(([name, method]) => {
      const path = `/capabilities/${capability.name}${methods.length > 1 ? `/${name}` : ''}`
      return [capabilityRoute(path, { capability, name, method }), modelIdsRoute(path, capability)]
    })
  })

const capabilityRoute = (path: string, served: ServedMethod): Route => {
  const { capability, name, method } = served
  const members = requestMembers(served)
  const streams = method.kind === 'stream'
  return post({
    path,
    capability: capability.name,
    guarded: true,
    tag: 'Capabilities',
    summary: `${capability.http?.summary ?? capability.name}${path.endsWith(`/${name}`) ? `: ${name}` : ''}`,
    request: (settings) => requestSchema(members, settings, streams),
    response: objectOf({
      ...envelopeFields(capability.name),
      ...(streams ? { chunks: listOf(schemaOf(method.result)) } : { result: schemaOf(method.result) }),
    }),
    ...(streams
      ? { chunk: objectOf({ ...envelopeFields(capability.name), chunk: schemaOf(method.result) }, ['chunk']) }
      : {}),
    safeguards: inputAndOutputFields,
    handle: (body, exchange) => handle(served, body as CapabilityBody, exchange),
  })
}

const requestMembers = ({ capability, name, method }: ServedMethod): Readonly<Record<string, AnyShape>> => {
  const { request } = method
  const members = request as Readonly<Record<string, AnyShape>>
  const taken = Object.keys(members)
    .map(nameOfMember)
    .find((member) => reserved.includes(member))
  const problem =
    typeof request !== 'object' || '*' in request || Object.keys(request).some((key) => key.startsWith('$'))
      ? 'must be an object with named fields'
      : taken && `has a field "${taken}", which is reserved in HTTP requests: rename it`
  if (problem === undefined) return members
  throw failure('plugin_invalid', { plugin: capability.name, problem: `the request of ${name}() ${problem}` })
}

const requestSchema = (
  members: Readonly<Record<string, AnyShape>>,
  { checks, choices }: RouteSettings,
  streams: boolean,
): Schema => {
  const { properties, required = [] } = schemaOf(members)
  return {
    type: 'object',
    additionalProperties: false,
    required,
    properties: {
      model: modelName,
      ...properties,
      ...(streams && properties?.['n'] ? { n: { type: 'integer', minimum: 1, maximum: choices } } : {}),
      ...safeguardSchemas(checks),
      ...(streams ? { stream: { type: 'boolean' } } : {}),
    },
  }
}

type Method = (request: unknown, call: CallOptions) => unknown

const handle = async (served: ServedMethod, body: CapabilityBody, exchange: Exchange): Promise<Answer> => {
  const { capability, name, method } = served
  const request = Object.fromEntries(Object.entries(body).filter(([field]) => !reserved.includes(field)))
  const { descriptor, service } = exchange.choose(capability, body.model)
  const run = (service as Readonly<Record<string, Method>>)[name]
  if (!run) throw failure('unsupported', { problem: `the model ${descriptor.id} has no method ${name}` })
  const result = run(fromWire(method.request, request), exchange.callOptions())
  const envelope = exchange.envelope('capability', capability.name, descriptor.id)
  if (method.kind === 'call') return json({ ...envelope, result: toWire(method.result, await result) })
  const results = result as AsyncIterable<unknown>
  if (!body.stream) return json({ ...envelope, chunks: await collectChunks(results, method.result) })
  return events((lastEventFields) => chunkEvents(results, method.result, envelope, lastEventFields))
}

/** The chunks; consecutive deltas of one choice are joined. */
const collectChunks = async (results: AsyncIterable<unknown>, shape: AnyShape): Promise<unknown[]> => {
  const chunks: Record<string, unknown>[] = []
  for await (const result of results) {
    const chunk = toWire(shape, result) as Record<string, unknown>
    const last = chunks.at(-1)
    if (last && isTextDelta(last) && isTextDelta(chunk) && last['choice'] === chunk['choice'])
      last['delta'] = `${String(last['delta'])}${String(chunk['delta'])}`
    else chunks.push({ ...chunk })
  }
  return chunks
}

/** Whether a chunk is a text delta and nothing else. */
const isTextDelta = (chunk: object): boolean =>
  'delta' in chunk &&
  typeof chunk.delta === 'string' &&
  Object.keys(chunk).every((key) => key === 'delta' || key === 'choice')

async function* chunkEvents(
  results: AsyncIterable<unknown>,
  shape: AnyShape,
  envelope: object,
  lastEventFields: () => object,
): AsyncGenerator<object> {
  for await (const result of results) yield { ...envelope, chunk: toWire(shape, result) }
  const rest = lastEventFields()
  if (Object.keys(rest).length) yield { ...envelope, ...rest }
}

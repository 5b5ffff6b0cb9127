/** The OpenAPI 3.1 document, made from the route table and the schemas that validate. */

import type { Kernel } from '@sallyport/core'
import { dialects } from '../dialects/dialect.js'
import type { RouteDialect } from '../dialects/dialect.js'
import type { ServerOptions } from '../options.js'
import { servedRoutes } from '../routes/index.js'
import { settingsOf } from '../routes/route.js'
import type { Route, RouteSchemas, RouteSettings } from '../routes/route.js'
import { receiptHeader } from '../safeguards/receipts.js'
import { replaceMethods, titleCaseHeader, specificationChecks } from '../safeguards/specification-checks.js'
import type { Schema } from '../schemas/schema.js'
import { errorComponents, errorResponses, errorSchemas, headers } from './errors.js'
import { pathParameters } from './headers.js'

/** The version of the API, not of the package. */
const version = '1.0.0'

interface DocumentSource {
  readonly kernel: Kernel
  readonly routes: readonly Route[]
  readonly options: ServerOptions
  /** The key store; absent where authentication is off. */
  readonly keys: object | undefined
}

/** The document of the routes that are served now; made again only when they have changed. */
export const documentCache = ({ kernel, options, keys, routes }: DocumentSource): (() => object) => {
  let cached: { readonly capabilities: string; readonly document: object } | undefined
  return () => {
    const capabilities = [...kernel.capabilities].sort().join()
    if (cached?.capabilities !== capabilities) {
      const served = servedRoutes(routes, kernel.capabilities)
      cached = { capabilities, document: openApiDocument(served, settingsOf(kernel, options), keys !== undefined) }
    }
    return cached.document
  }
}

const openApiDocument = (routes: readonly Route[], settings: RouteSettings, secured: boolean): object => ({
  openapi: '3.1.0',
  info: {
    title: 'Sallyport',
    version,
    description:
      'Inference and safeguards. Paths under /v1 speak the OpenAI dialect, those under /v2 that of Cohere, the others that of the specification.',
    license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
  },
  paths: pathItems(routes, settings, secured),
  components: {
    schemas: errorSchemas,
    responses: errorComponents(),
    headers,
    securitySchemes: {
      bearer: { type: 'http', scheme: 'bearer' },
      apiKey: { type: 'apiKey', in: 'header', name: 'x-api-key' },
    },
  },
})

const pathItems = (routes: readonly Route[], settings: RouteSettings, secured: boolean): Record<string, object> => {
  const items: Record<string, Record<string, object>> = {}
  for (const route of routes)
    for (const name of route.dialects) {
      const item = (items[documentedPath(dialects[name].prefix + route.path)] ??= {})
      item[route.method.toLowerCase()] = operation(route, name, settings, secured)
    }
  return items
}

/** `/models/:capability` → `/models/{capability}` */
const documentedPath = (path: string): string => path.replace(/[:*](\w+)/g, '{$1}')

const operation = (route: Route, dialect: RouteDialect, settings: RouteSettings, secured: boolean): object => {
  const { method, path, summary, tag, access } = route
  const schemas = route.schemas?.(settings) ?? {}
  const inPath = [...path.matchAll(/[:*](\w+)/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    schema: { ...pathParameters[name], ...(name === 'check' && enumOf([...settings.checks.keys()])) },
  }))
  const parameters = [
    ...inPath,
    ...(route.guarded ? [receiptParameter] : []),
    ...(schemas.isForm ? safeguardParameters : []),
  ]
  return {
    operationId: operationId(method, dialects[dialect].prefix + path),
    summary,
    tags: [tag],
    security: access === 'open' || !secured ? [] : [{ bearer: [] }, { apiKey: [] }],
    ...(parameters.length ? { parameters } : {}),
    ...(schemas.request
      ? { requestBody: { required: true, content: requestContent(schemas.request, schemas.isForm) } }
      : {}),
    responses: { ...success(schemas, route.guarded), ...errorResponses(route, dialect) },
  }
}

/** An empty enum is not a valid schema. */
const enumOf = (names: readonly string[]): Schema => (names.length ? { enum: names } : {})

/** `post /v1/chat/completions` → `postV1ChatCompletions` */
const operationId = (method: string, path: string): string =>
  method.toLowerCase() +
  path
    .split(/\W+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')

const jsonContent = (schema: Schema) => ({ 'application/json': { schema } })

const requestContent = (schema: Schema, isForm = false) =>
  isForm ? { 'multipart/form-data': { schema } } : jsonContent(withAbsentValues(schema))

const receiptParameter = {
  name: receiptHeader,
  in: 'header',
  description: 'whether the body shall say what the safeguards decided',
  schema: { type: 'boolean', default: false },
}

const success = ({ response, chunk, media }: RouteSchemas, guarded = false): object => {
  const responseHeaders = {
    'x-request-id': { $ref: '#/components/headers/RequestId' },
    ...(guarded ? { 'x-safeguards': { $ref: '#/components/headers/Safeguards' } } : {}),
  }
  const other = media === undefined ? {} : { [media]: { schema: { type: 'string' } } }
  if (!response && media === undefined) return { 204: { description: 'OK, without a body', headers: responseHeaders } }
  const events = chunk ? { 'text/event-stream': { schema: chunk } } : {}
  const content = { ...(response ? jsonContent(response) : {}), ...other, ...events }
  return { 200: { description: 'OK', headers: responseHeaders, content } }
}

/**
 * The schema of a body with the values that count as absent (`body/validate.ts`): null where a field is optional, and
 * "" where the schema says so.
 */
const withAbsentValues = (schema: Schema): Schema => ({
  ...schema,
  ...(schema.items ? { items: withAbsentValues(schema.items) } : {}),
  ...(schema.properties ? { properties: propertiesOf(schema.properties, schema.required ?? []) } : {}),
})

const propertiesOf = (properties: Readonly<Record<string, Schema>>, required: readonly string[]) =>
  Object.fromEntries(
    Object.entries(properties).map(([name, property]) => {
      const inner = withAbsentValues(property)
      return [
        name,
        required.includes(name) ? inner : nullable(property['x-empty-is-absent'] ? emptiable(inner) : inner),
      ]
    }),
  )

const nullable = (schema: Schema): Schema => ({
  ...schema,
  ...(schema.type === undefined ? {} : { type: [...new Set([schema.type, 'null'].flat())] }),
  ...(schema.enum ? { enum: [...new Set([...schema.enum, null])] } : {}),
})

const emptiable = (schema: Schema): Schema => ({
  ...schema,
  ...(schema.minLength === undefined ? {} : { minLength: 0 }),
  ...(schema.enum ? { enum: [...schema.enum, ''] } : {}),
})

const header = (name: string, description: string, schema: object) => ({
  name: titleCaseHeader(name),
  in: 'header',
  description,
  schema,
})

/** Request headers by which uploads request output checks. */
const safeguardParameters = specificationChecks.flatMap(({ check, header: name, replacing }) => {
  if (name === undefined) return []
  if (!replacing) return [header(name, `whether ${check} is looked for`, { type: 'boolean' })]
  const { method, ignore } = replacing
  return [
    header(name, 'what is done about what is found', { type: 'string', enum: ['block', 'replace'] }),
    header(method.header, 'how it is replaced', { type: 'string', enum: replaceMethods }),
    header(ignore.header, 'entity types that are not looked for: a JSON array or a comma-separated list', {
      type: 'string',
      examples: ['["PERSON", "URL"]'],
    }),
  ]
})

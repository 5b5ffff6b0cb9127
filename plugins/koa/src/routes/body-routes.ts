/** Rows of the table whose requests have a body: JSON, or a form with a file. */

import { capabilities, failure } from '@sallyport/core'
import type { CallOptions } from '@sallyport/core'
import { besideMissingField } from '../body/missing-field.js'
import { inputAndOutput, refuseMisplacedSafeguards, safeguardWords } from '../body/misplaced.js'
import type { SafeguardPlaces } from '../body/misplaced.js'
import type { JsonObject } from '../body/parse.js'
import { callerSafeguards, formSafeguardSchemas } from '../body/safeguards.js'
import type { BodySchema, Schema } from '../body/schema.js'
import { wirePath } from '../body/wire-path.js'
import type { FieldNames } from '../body/wire-path.js'
import { FormFields } from '../upload/fields.js'
import type { UploadedFile } from '../upload/receive.js'
import { joinedSafeguards } from '../upload/safeguards.js'
import type { Answer } from './answer.js'
import type { Exchange } from './exchange.js'
import type { Route, RouteInput, RouteSettings } from './route.js'
import { withReceipts } from './schemas/receipt.js'

const guardedNames: ReadonlySet<string> = new Set(
  Object.values(capabilities).flatMap(({ name, guarded }) => (guarded === true ? [name] : [])),
)

/** A route with a JSON body, which is what the schema describes when the handler sees it. */
export const post = <Body>(
  route: RouteInput & {
    readonly request: (settings: RouteSettings) => BodySchema<Body>
    readonly response: Schema
    readonly chunk?: Schema
    readonly safeguards: SafeguardPlaces
    /** Of a capability that is not the core's. */
    readonly guarded?: boolean
    /** Where the kernel's names differ from those of the body. */
    readonly fields?: FieldNames | ((body: JsonObject) => FieldNames)
    readonly handle: (body: Body, exchange: Exchange) => Promise<Answer>
  },
): Route => {
  const { request, response, chunk, safeguards, fields = {}, handle, ...rest } = route
  const { guarded = rest.capability !== undefined && guardedNames.has(rest.capability) } = route
  const answered = guarded ? withReceipts : (schema: Schema) => schema
  return {
    ...rest,
    method: 'POST',
    access: 'key',
    admitted: true,
    guarded,
    schemas: (settings) => ({
      request: request(settings),
      response: answered(response),
      ...(chunk ? { chunk: answered(chunk) } : {}),
    }),
    bind: (settings, validators) => {
      const schema = request(settings)
      const words = safeguardWords(settings.checks)
      const known = new Set(Object.keys(schema.properties ?? {}))
      const validate = once(() => validators.compile(schema))
      return {
        run: (body, exchange) => {
          try {
            refuseMisplacedSafeguards(body, known, safeguards, words)
          } catch (error) {
            throw besideMissingField(error, schema, body)
          }
          const valid = validate()(body)
          exchange.wireField = (path) => wirePath(path, typeof fields === 'function' ? fields(body) : fields, body)
          return handle(valid, exchange)
        },
        warmUp: validate,
      }
    },
  }
}

/** A route with a form: a file, and fields which the schema describes as the handler sees them. */
export const upload = <Body>(
  route: RouteInput & {
    readonly capability: string
    readonly file: Schema
    readonly request: BodySchema<Body>
    readonly aliases?: Readonly<Record<string, string>>
    readonly response: Schema
    readonly chunk?: Schema
    readonly media?: string
    /** Where the kernel's names differ from those of the form. */
    readonly fields: FieldNames
    /** @param call with what the request asks the safeguards for */
    readonly handle: (body: Body, file: UploadedFile, exchange: Exchange, call: CallOptions) => Promise<Answer>
  },
): Route => {
  const { file, request, aliases, response, chunk, media, fields, handle, ...rest } = route
  return {
    ...rest,
    method: 'POST',
    access: 'key',
    admitted: true,
    guarded: guardedNames.has(rest.capability),
    schemas: (settings) => ({
      request: withFile(withSafeguards(request, settings), file),
      isForm: true,
      response: withReceipts(response),
      ...(chunk ? { chunk: withReceipts(chunk) } : {}),
      ...(media === undefined ? {} : { media }),
    }),
    bind: (settings, validators) => {
      const schema = withSafeguards<Body>(request, settings)
      const properties = schema.properties ?? {}
      const known = new Set(Object.keys(properties))
      const words = safeguardWords(settings.checks)
      const validate = once(() => validators.compile(schema))
      return {
        form: new FormFields(properties, words, aliases),
        run: (body, exchange) => {
          refuseMisplacedSafeguards(body, known, inputAndOutput, words)
          const valid = validate()(body)
          const sent = exchange.context.upload?.file
          if (!sent)
            throw failure('invalid_request', { field: 'file', problem: 'is required: send the file in this field' })
          if (sent.bytes === 0) throw failure('invalid_request', { field: 'file', problem: 'is empty' })
          exchange.wireField = (path) => wirePath(path, fields, body)
          const asked = joinedSafeguards(exchange.context.upload.safeguards, callerSafeguards(valid, exchange))
          return handle(valid, sent, exchange, exchange.call(asked))
        },
        warmUp: validate,
      }
    },
  }
}

type FormSafeguards = Parameters<typeof callerSafeguards>[0]

const withSafeguards = <Body>(schema: Schema, { checks }: RouteSettings): BodySchema<Body & FormSafeguards> => ({
  ...schema,
  properties: { ...schema.properties, ...formSafeguardSchemas(checks) },
})

const withFile = (schema: Schema, file: Schema): Schema => ({
  ...schema,
  required: ['file', ...(schema.required ?? [])],
  properties: {
    file: { type: 'string', contentMediaType: 'application/octet-stream', ...file },
    ...schema.properties,
  },
})

/** Compiling a schema takes up to 0.1 s: programs that never use the route need not wait for it. */
const once = <Value>(make: () => Value): (() => Value) => {
  let made: { value: Value } | undefined
  return () => (made ??= { value: make() }).value
}

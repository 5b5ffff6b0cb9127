/** Constructors for routes whose requests have a body: JSON, or a form with a file. */

import { capabilities } from '@sallyport/core'
import { mentionMissingField, validatorOf } from '../body/validate.js'
import { wirePath } from '../body/wire-path.js'
import type { FieldNames } from '../body/wire-path.js'
import { invalidField } from '../invalid-field.js'
import { misplacedSafeguardCheck, safeguardVocabulary } from '../safeguards/misplaced.js'
import { inputAndOutputFields } from '../safeguards/placement.js'
import type { SafeguardPlacement } from '../safeguards/placement.js'
import { formSafeguardSchemas } from '../safeguards/requested-checks.js'
import { withReceipts } from '../schemas/receipt.js'
import type { BodyOf, JsonObject, Schema } from '../schemas/schema.js'
import { FormFields } from '../upload/fields.js'
import { mergeSafeguards } from '../upload/header-safeguards.js'
import type { UploadedFile } from '../upload/receive.js'
import type { Answer } from './answer.js'
import type { Exchange } from './exchange.js'
import { omitUndefined } from './generation.js'
import { resultDialects } from './route.js'
import type { Route, RouteDefinition, RouteSchemas, RouteSettings } from './route.js'

interface BodyRouteDefinition extends RouteDefinition {
  readonly response: Schema
  readonly chunk?: Schema
  readonly media?: string
  /** Whether the chain guards the capability; needed only for capabilities that plugins define. */
  readonly guarded?: boolean
  /** Where the kernel's names differ from those of the body. */
  readonly fields?: FieldNames | ((body: JsonObject) => FieldNames)
}

interface JsonRouteDefinition<Request extends Schema> extends BodyRouteDefinition {
  readonly request: (settings: RouteSettings) => Request
  readonly safeguards: SafeguardPlacement
  readonly handle: (body: BodyOf<Request>, exchange: Exchange) => Promise<Answer>
}

interface FormRouteDefinition<Request extends Schema> extends BodyRouteDefinition {
  readonly request: Request
  readonly file: Schema
  /** Other spellings of fields. */
  readonly aliases?: Readonly<Record<string, string>>
  readonly handle: (body: BodyOf<Request>, file: UploadedFile, exchange: Exchange) => Promise<Answer>
}

const guardedNames: ReadonlySet<string> = new Set(
  Object.values(capabilities).flatMap(({ name, guarded }) => (guarded === true ? [name] : [])),
)

/** A route with a JSON body, which is validated before the handler runs. */
export const post = <Request extends Schema>(definition: JsonRouteDefinition<Request>): Route => ({
  ...routeOf(definition),
  schemas: (settings) => ({ request: definition.request(settings), ...responseSchemasOf(definition) }),
  bind: (settings) => {
    const schema = definition.request(settings)
    const { read, warmUp } = bodyChecker(schema, definition, definition.safeguards, settings)
    return { run: (body, exchange) => definition.handle(read(body, exchange), exchange), warmUp }
  },
})

/** A route with a form: a file, and fields that are converted and validated before the handler runs. */
export const upload = <Request extends Schema>(definition: FormRouteDefinition<Request>): Route => ({
  ...routeOf(definition),
  schemas: (settings) => ({
    request: withFile(withSafeguards(definition.request, settings), definition.file),
    isForm: true,
    ...responseSchemasOf(definition),
  }),
  bind: (settings) => {
    const schema = withSafeguards(definition.request, settings)
    const { read, warmUp } = bodyChecker(schema, definition, inputAndOutputFields, settings)
    return {
      form: new FormFields(schema.properties ?? {}, safeguardVocabulary(settings.checks), definition.aliases),
      run: (body, exchange) => {
        const valid = read(body, exchange)
        const { file, safeguards } = exchange.context.upload ?? {}
        if (!file) throw invalidField('file', 'is required: send the file in this field')
        if (file.bytes === 0) throw invalidField('file', 'is empty')
        exchange.safeguards = mergeSafeguards(safeguards, exchange.safeguards)
        return definition.handle(valid, file, exchange)
      },
      warmUp,
    }
  },
})

const routeOf = (definition: BodyRouteDefinition) => {
  const { path, dialects = resultDialects, summary, tag, capability } = definition
  const { guarded = capability !== undefined && guardedNames.has(capability) } = definition
  const described = { path, dialects, summary, tag, ...(capability === undefined ? {} : { capability }) }
  return { ...described, method: 'POST', access: 'key', needsAdmission: true, guarded } as const
}

const responseSchemasOf = (definition: BodyRouteDefinition): RouteSchemas => {
  const { response, chunk, media } = definition
  const withReceiptsIfGuarded = routeOf(definition).guarded ? withReceipts : (schema: Schema) => schema
  return {
    response: withReceiptsIfGuarded(response),
    ...omitUndefined({ chunk: chunk && withReceiptsIfGuarded(chunk), media }),
  }
}

/** Validates bodies, and gives the exchange their requested checks and their field names. */
const bodyChecker = <S extends Schema>(
  schema: S,
  { fields = {} }: BodyRouteDefinition,
  safeguards: SafeguardPlacement,
  settings: RouteSettings,
) => {
  const known = new Set(Object.keys(schema.properties ?? {}))
  const refuseMisplaced = misplacedSafeguardCheck(known, safeguards, safeguardVocabulary(settings.checks))
  const validator = once(() => validatorOf(schema))
  const read = (body: JsonObject, exchange: Exchange): BodyOf<S> => {
    try {
      refuseMisplaced(body)
    } catch (error) {
      throw mentionMissingField(error, schema, body)
    }
    const valid = validator()(body)
    exchange.wireField = (path) => wirePath(path, typeof fields === 'function' ? fields(body) : fields, body)
    exchange.safeguards = safeguards.read(body, exchange.context.kernel)
    return valid
  }
  return { read, warmUp: validator }
}

const withSafeguards = <S extends Schema>(schema: S, { checks }: RouteSettings): S => ({
  ...schema,
  properties: { ...schema.properties, ...formSafeguardSchemas(checks) },
})

const withFile = (schema: Schema, file: Schema): Schema => ({
  ...schema,
  required: ['file', ...(schema.required ?? [])],
  properties: { file: { type: 'string', contentMediaType: 'application/octet-stream', ...file }, ...schema.properties },
})

/** Compiling a schema takes up to 0.1 s: programs that never use the route need not wait for it. */
const once = <Value>(make: () => Value): (() => Value) => {
  let made: { value: Value } | undefined
  return () => (made ??= { value: make() }).value
}

/** Rows of the table whose requests have a body: JSON, or a form with a file. */

import { capabilities } from '@sallyport/core'
import { besideMissingField, validatorOf } from '../body/validate.js'
import { wirePath } from '../body/wire-path.js'
import type { FieldNames } from '../body/wire-path.js'
import { invalidField } from '../invalid-field.js'
import { misplacedSafeguardCheck, safeguardVocabulary } from '../safeguards/misplaced.js'
import { inputAndOutputFields } from '../safeguards/placement.js'
import type { SafeguardPlacement } from '../safeguards/placement.js'
import { formSafeguardSchemas } from '../safeguards/requested-checks.js'
import { withReceipts } from '../schemas/receipt.js'
import type { BodySchema, JsonObject, Schema } from '../schemas/schema.js'
import { FormFields } from '../upload/fields.js'
import { mergeSafeguards } from '../upload/header-safeguards.js'
import type { UploadedFile } from '../upload/receive.js'
import type { Answer } from './answer.js'
import type { Exchange } from './exchange.js'
import type { Route, RouteInput, RouteSchemas, RouteSettings } from './route.js'

interface BodyRow extends RouteInput {
  readonly response: Schema
  readonly chunk?: Schema
  readonly media?: string
  /** Says of a capability of a plugin's own whether the chain guards it: those of the core are known. */
  readonly guarded?: boolean
  /** Where the kernel's names differ from those of the body. */
  readonly fields?: FieldNames | ((body: JsonObject) => FieldNames)
}

interface JsonRow<Body> extends BodyRow {
  readonly request: (settings: RouteSettings) => BodySchema<Body>
  readonly safeguards: SafeguardPlacement
  readonly handle: (body: Body, exchange: Exchange) => Promise<Answer>
}

interface FormRow<Body> extends BodyRow {
  readonly request: BodySchema<Body>
  readonly file: Schema
  /** Other spellings of fields. */
  readonly aliases?: Readonly<Record<string, string>>
  readonly handle: (body: Body, file: UploadedFile, exchange: Exchange) => Promise<Answer>
}

const guardedNames: ReadonlySet<string> = new Set(
  Object.values(capabilities).flatMap(({ name, guarded }) => (guarded === true ? [name] : [])),
)

/** A route with a JSON body, which is what the schema describes when the handler sees it. */
export const post = <Body>(row: JsonRow<Body>): Route => ({
  ...routeOf(row),
  schemas: (settings) => ({ request: row.request(settings), ...answersOf(row) }),
  bind: (settings) => {
    const { read, warmUp } = bodyChecker<Body>(row.request(settings), row, row.safeguards, settings)
    return { run: (body, exchange) => row.handle(read(body, exchange), exchange), warmUp }
  },
})

/** A route with a form: a file, and fields which the schema describes as the handler sees them. */
export const upload = <Body>(row: FormRow<Body>): Route => ({
  ...routeOf(row),
  schemas: (settings) => ({
    request: withFile(withSafeguards(row.request, settings), row.file),
    isForm: true,
    ...answersOf(row),
  }),
  bind: (settings) => {
    const schema = withSafeguards(row.request, settings)
    const { read, warmUp } = bodyChecker<Body>(schema, row, inputAndOutputFields, settings)
    return {
      form: new FormFields(schema.properties ?? {}, safeguardVocabulary(settings.checks), row.aliases),
      run: (body, exchange) => {
        const valid = read(body, exchange)
        const { file, safeguards } = exchange.context.upload ?? {}
        if (!file) throw invalidField('file', 'is required: send the file in this field')
        if (file.bytes === 0) throw invalidField('file', 'is empty')
        exchange.safeguards = mergeSafeguards(safeguards, exchange.safeguards)
        return row.handle(valid, file, exchange)
      },
      warmUp,
    }
  },
})

const routeOf = (row: BodyRow) => {
  const { path, dialects, summary, tag, capability } = row
  const { guarded = capability !== undefined && guardedNames.has(capability) } = row
  const described = { path, dialects, summary, tag, ...(capability === undefined ? {} : { capability }) }
  return { ...described, method: 'POST', access: 'key', admitted: true, guarded } as const
}

const answersOf = (row: BodyRow): RouteSchemas => {
  const answered = routeOf(row).guarded ? withReceipts : (schema: Schema) => schema
  return {
    response: answered(row.response),
    ...(row.chunk ? { chunk: answered(row.chunk) } : {}),
    ...(row.media === undefined ? {} : { media: row.media }),
  }
}

/** Checks bodies, and tells the exchange what they ask the safeguards for and what they call their fields. */
const bodyChecker = <Body>(
  schema: BodySchema<Body>,
  { fields = {} }: BodyRow,
  safeguards: SafeguardPlacement,
  settings: RouteSettings,
) => {
  const known = new Set(Object.keys(schema.properties ?? {}))
  const refuseMisplaced = misplacedSafeguardCheck(known, safeguards, safeguardVocabulary(settings.checks))
  const validator = once(() => validatorOf(schema))
  const read = (body: JsonObject, exchange: Exchange): Body => {
    try {
      refuseMisplaced(body)
    } catch (error) {
      throw besideMissingField(error, schema, body)
    }
    const valid = validator()(body)
    exchange.wireField = (path) => wirePath(path, typeof fields === 'function' ? fields(body) : fields, body)
    exchange.safeguards = safeguards.read(body, exchange.context.kernel)
    return valid
  }
  return { read, warmUp: validator }
}

const withSafeguards = (schema: Schema, { checks }: RouteSettings): Schema => ({
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

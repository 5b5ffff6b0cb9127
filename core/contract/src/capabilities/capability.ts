import type { AnyFields } from './fields.js'
import type { Origin } from './detector.js'
import { fieldsOf } from './shape.js'
import type { AnyShape, Shape } from './shape.js'

/** `call` answers once, `stream` yields chunks. */
export type MethodKind = 'call' | 'stream'

export interface MethodDeclaration {
  readonly kind: MethodKind
  /** A service may lack the method. */
  readonly optional?: true
  /** The shape of the request, which is the method's first argument. */
  readonly request: AnyShape
  /** The shape of the result, or of each chunk of the stream. */
  readonly result: AnyShape
  /** Where text is in the request; follows from its shape. */
  readonly input: AnyFields
  /** Where text is in the result, or in each chunk of the stream. */
  readonly output: AnyFields
  /** Names of request fields, at any depth, that hold text as numbers: refused where what goes in is checked. */
  readonly encoded?: readonly string[]
  readonly turns?: Turns
  readonly together?: Together
  /** The origins of texts by field of the request; those of turns are in `turns`. */
  readonly origins?: Readonly<Record<string, Origin>>
  /** Fields of the request whose texts recur in many requests: their inspections are cached. */
  readonly recurring?: readonly string[]
  /** Fields of the request that the answer continues: it must agree with their statements. */
  readonly continues?: readonly string[]
  readonly forModels?: ForModels
  /**
   * Name of the list that holds the text of a document: what is found there is reported with its place. The items hold
   * the text in their field `text` and, where it is known, the number of the page in `page` and the headings above it in
   * `headings`, as positions in the list of headings, whose items are lines. One with `continues` has those of the item
   * before it. What is found in a line of an item is placed behind its text.
   */
  readonly located?: string
  readonly calls?: Calls
  readonly recipient?: Recipient
}

/** Where a chunk of an answer calls a tool. */
export interface Calls {
  /** The field that holds the call: `toolCall`. */
  readonly part: string
  /** The field of a call's first chunk that names the tool: `name`. */
  readonly name: string
}

/** Who gets a request that a model wrote. */
export interface Recipient {
  /** The field that names a recipient of the configuration: `server`. */
  readonly field: string
  /** The field that is there where the caller names the recipient instead: `requested`. */
  readonly unless: string
}

/** For results that models read unchanged: they must pass the input checks, too. */
export interface ForModels {
  /** The origin of their texts. */
  readonly origin: Origin
  readonly together?: Together
  /** Fields of the result whose texts recur in many results. */
  readonly recurring?: readonly string[]
  readonly separable?: Separable
}

/** A list of the result whose items have parts. Only the parts that a check blocks are left out. */
export interface Separable {
  /** Name of the list: `servers`. */
  readonly list: string
  /** The field of an item that names it in logs: `label`. */
  readonly name: string
  /** The list of parts of an item, and the field that names a part in logs. */
  readonly parts: { readonly list: string; readonly name: string }
}

/** A list of the request whose neighbouring items models read as one if they have the same role. */
export interface Turns {
  /** Name of the list: `messages`. */
  readonly list: string
  /** The field of an item that says who wrote it: `role`. */
  readonly role: string
  /** The field of an item that holds its text: `content`. */
  readonly text: string
  /** By role: the role whose turn some templates append to such a turn without a separator, as `{ system: 'user' }`. */
  readonly continuedBy?: Readonly<Record<string, string>>
  /** The origins of items by role. */
  readonly origins?: Readonly<Record<string, Origin>>
}

/**
 * Groups of fields of the request, or in {@link ForModels} of the result, over which an attack may be split: their texts
 * are also inspected together. In a list of objects, each item is a group.
 */
export type Together = readonly (readonly string[])[]

/**
 * A capability as data: its name, its methods and where text is in them. It is also the typed token: it carries the
 * type of the service, so that `kernel.get(chat)` needs no cast.
 */
export interface Capability<Service extends object = object> {
  readonly name: string
  /** The dependency injection token; equal for every copy of the core in a process. */
  readonly token: symbol
  readonly methods: Readonly<Record<string, MethodDeclaration>>
  /** Whether calls go through the safeguard chain; `reason` says why not. */
  readonly guarded: true | { readonly reason: string }
  readonly http?: ServedOverHttp
  /** Never set; carries the type. */
  readonly service?: Service
}

/**
 * Lets adapters serve a capability that they do not know by its shapes: at `POST /capabilities/<name>`, or, where it
 * has several methods, `/capabilities/<name>/<method>`. Only a guarded capability can be served like this.
 */
export interface ServedOverHttp {
  /** For the documents: `Tell a fortune`. */
  readonly summary: string
}

type Output<Result> =
  Result extends AsyncIterable<infer Piece> ? Piece : Result extends Promise<infer Value> ? Value : Result

type Method = (request: never, call: never) => unknown

type Details =
  'encoded' | 'turns' | 'together' | 'origins' | 'recurring' | 'continues' | 'located' | 'calls' | 'recipient'

type DeclarationOf<M> = M extends (...args: infer Args) => infer Result
  ? {
      readonly kind: Result extends AsyncIterable<unknown> ? 'stream' : 'call'
      readonly request: Shape<Args[0]>
      readonly result: Shape<Output<Result>>
      readonly forModels?: Result extends AsyncIterable<unknown> ? never : ForModels
    } & Pick<MethodDeclaration, Details>
  : never

type Optionality<M> = undefined extends M ? { readonly optional: true } : { readonly optional?: never }

/** One declaration per method of the service; optional methods included. */
type Declarations<Service> = {
  readonly [Name in keyof Service as NonNullable<Service[Name]> extends Method ? Name : never]-?: DeclarationOf<
    NonNullable<Service[Name]>
  > &
    Optionality<Service[Name]>
}

type MethodInput = Omit<MethodDeclaration, 'input' | 'output'>

const withTextFields = (declared: MethodInput): MethodDeclaration => ({
  ...declared,
  input: fieldsOf(declared.request),
  output: fieldsOf(declared.result),
})

/** Declares a capability: `capability<ChatCapability>()('chat', { methods: … })`. */
export const capability =
  <Service extends object>() =>
  (
    name: string,
    declaration: {
      readonly methods: Declarations<Service>
      readonly guarded: Capability['guarded']
      readonly http?: ServedOverHttp
    },
  ): Capability<Service> => ({
    ...declaration,
    name,
    token: Symbol.for(`sallyport.capability.${name}`),
    methods: Object.fromEntries(
      Object.entries<MethodInput>(declaration.methods).map(([key, each]) => [key, withTextFields(each)]),
    ),
  })

/** One request that must be refused. */
export interface Case {
  readonly what: string
  /** The JSON body, or text or bytes as they are. */
  readonly body: unknown
  readonly message: string
  readonly path?: string
  readonly headers?: Record<string, string>
  readonly status?: number
  /** Where OpenAI's is another one. */
  readonly openAiStatus?: number
  readonly code?: string
  readonly field?: string
}

/** A chat request that is good but for these fields. */
export const chat = (fields: object): object => ({ model: 'speaker', messages: 'hi', ...fields })

/** What a refusal says of a field. */
export const field = (name: string, problem: string) => ({ field: name, message: `${name}: ${problem}` })

/** A request that is refused because of a field. */
export const refused = (
  what: string,
  body: unknown,
  name: string,
  problem: string,
  more: Partial<Case> = {},
): Case => ({
  ...{ what, body },
  ...field(name, problem),
  ...more,
})

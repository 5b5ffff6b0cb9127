/** JSON Schemas (draft 2020-12) of bodies: they validate, and they are what `/openapi.json` shows. */

export interface Schema {
  readonly type?: string | readonly string[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly additionalProperties?: boolean | Schema
  readonly enum?: readonly unknown[]
  readonly description?: string
  /** What is allowed, in words, where the keywords alone would say it badly. */
  readonly 'x-allowed'?: string
  /** An empty string counts as absent. */
  readonly 'x-empty-is-absent'?: true
  readonly [keyword: string]: unknown
}

/** Keywords of our own; they stay in the published document as extensions. */
export const ownKeywords = ['x-allowed', 'x-empty-is-absent'] as const

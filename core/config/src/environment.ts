/** References to environment variables inside a configuration's strings. */

import { Schema, isScalar } from 'yaml'
import type { ScalarTag } from 'yaml'
import type { Environment } from '@sallyport/kit/installation'

/** `$${`, `${NAME}`, `${NAME:-default}`, and any other `${`, which is a mistake. */
const reference = /\$\$\{|\$\{([A-Za-z_]\w*)(?::-([^{}]*))?\}|\$\{/g

interface Substitution {
  readonly text: string
  /** Whether a variable or a default was put in, rather than only an escape undone. */
  readonly substituted: boolean
  readonly problems: readonly string[]
}

export const mayHoldReference = (text: string): boolean => text.includes('${')

/** Substitutes variables. As in a shell, an empty variable gets the default, too. */
export const substitute = (text: string, environment: Environment): Substitution => {
  const problems: string[] = []
  let substituted = false
  const result = text.replace(reference, (match: string, name?: string, fallback?: string) => {
    if (match === '$${') return '${'
    if (name === undefined) {
      problems.push(malformed)
      return match
    }
    substituted = true
    const value = fallback === undefined ? environment[name] : environment[name] || fallback
    if (value === undefined) problems.push(unset(name))
    return value ?? ''
  })
  return { text: result, substituted, problems }
}

const malformed =
  'a reference is ${NAME} or ${NAME:-default}, with no braces in the default; for the characters themselves write $${'

const unset = (name: string) =>
  `the environment variable ${name} is not set: set it, or give a default as \${${name}:-default}`

const isScalarTag = (tag: { collection?: unknown }): tag is ScalarTag => !('collection' in tag)

const tags = new Schema({ schema: 'core' }).tags.filter(isScalarTag)

/** The value of an unquoted scalar of YAML: `8080` is a number, `true` a boolean. */
export const readPlainScalar = (text: string): unknown => {
  if (text === '') return ''
  const tag = tags.find(({ default: implicit, test }) => implicit === true && test?.test(text))
  const value = tag ? tag.resolve(text, () => undefined, {}) : text
  return isScalar(value) ? value.value : value
}

/** References to environment variables inside a configuration's texts. */

export type Environment = Readonly<Record<string, string | undefined>>

/** `$${`, `${NAME}`, `${NAME:-default}`, and any other `${`, which is a mistake. */
const reference = /\$\$\{|\$\{([A-Za-z_]\w*)(?::-([^{}]*))?\}|\$\{/g

export interface Substitution {
  readonly text: string
  /** Whether a variable or a default was put in, rather than only an escape undone. */
  readonly substituted: boolean
  readonly problems: readonly string[]
}

export const mayHoldReference = (text: string): boolean => text.includes('${')

/** Puts variables in. As in a shell, the default also stands for a variable that is set to nothing. */
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

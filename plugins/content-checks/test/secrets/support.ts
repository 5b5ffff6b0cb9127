import { testCall } from '@sallyport/testing'
import type { SpanRequest } from '@sallyport/core'
import { SecretsDetector } from '../../src/secrets/detector.js'

export const detector = new SecretsDetector()

export const findingsIn = async (text: string, rest: Partial<SpanRequest> = {}) =>
  (await detector.inspect({ text, ...rest }, testCall())).findings

/** `TYPE text` of each. */
export const described = async (text: string, rest: Partial<SpanRequest> = {}): Promise<string[]> =>
  (await findingsIn(text, rest)).map(({ type, start, end }) => `${type} ${text.slice(start, end)}`)

/** Characters that say nothing, the same for the same length: no credential stands in a test as one. */
export const random = (length: number, set = 'aZ3kQ9xR7mT2vB8nL5pC4wD6yF1gH0jS'): string =>
  Array.from({ length }, (_, at) => set[(at * 7 + (at >> 3) * 5 + (at >> 1)) % set.length]).join('')

export const hexadecimal = (length: number): string => random(length, '0f3a9c17e5b28d46')

/** A block of PEM. */
export const pem = (label: string, lines = 8): string =>
  [
    `-----BEGIN ${label}-----`,
    ...Array.from({ length: lines }, (_, at) => random(64 + at).slice(at)),
    `-----END ${label}-----`,
  ].join('\n')

export const key = 'PRIVATE ' + 'KEY'

/** A text without the marks that keep what begins a credential apart: scanners of forges would take it for one. */
export const whole = (text: string): string => text.replaceAll('¦', '')

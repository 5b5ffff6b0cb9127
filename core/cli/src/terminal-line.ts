/** Formats log lines for people at a terminal: one line each, with the frames of an error below. */

import { stripVTControlCharacters } from 'node:util'
import pico from 'picocolors'
import type { Colors } from 'picocolors/types.js'
import { formatBytes } from '@sallyport/kit/text'

type Fields = Readonly<Record<string, unknown>>

/** Turns a line of JSON into one for people. @param brief leaves out lines that only repeat that of the request */
export const terminalLine = (coloured: boolean, brief = false): ((line: string) => string) => {
  const colours = pico.createColors(coloured)
  return (line) => {
    const { level, time, msg, ...written } = JSON.parse(line, withoutControls) as Fields
    const fields = without(written, ['pid', 'hostname'])
    if (brief && level === 30 && msg === 'check finished') return ''
    const paint = level === 50 ? colours.red : level === 40 ? colours.yellow : String
    const text = sentences[String(msg)]?.(fields, colours) ?? `${String(msg)}${pairsOf(fields)}`
    const severity = levels[Number(level)]
    const head = [colours.dim(clock(Number(time))), ...(severity === undefined ? [] : [paint(severity)])].join(' ')
    return `${head} ${[text, ...framesIn(fields)].join('\n')}\n`
  }
}

const levels: Readonly<Record<number, string>> = { 20: 'DEBUG', 40: 'WARN', 50: 'ERROR' }

const clock = (time: number): string => new Date(time).toTimeString().slice(0, 8)

/** Lines that come often have a form of their own. */
const sentences: Readonly<Record<string, (fields: Fields, colours: Colors) => string>> = {
  request: ({ code, ...fields }, colours) =>
    [access(fields, colours), ...(code === undefined ? [] : [textOf(code)])].join(' '),
  'request failed': (fields, colours) => access(fields, colours) + pairsOf(without(fields, accessFields)),
  'request refused': (fields, colours) => access(fields, colours) + pairsOf(without(fields, accessFields)),
  'model ready': ({ model, backend, bytes, contextLength, ms }) =>
    `${String(model)} ready: ${[
      ...(backend === undefined ? [] : [textOf(backend)]),
      ...(typeof bytes === 'number' ? [formatBytes(bytes)] : []),
      ...(contextLength === undefined ? [] : [`context ${textOf(contextLength)}`]),
      ...(typeof ms === 'number' ? [`${(ms / 1000).toFixed(1)} s`] : []),
    ].join(', ')}`,
}

const accessFields = [
  ...['method', 'route', 'path', 'status', 'ms', 'promptTokens', 'completionTokens', 'safeguards', 'tenant', 'plugin'],
]

/** Method, path, status, milliseconds, tokens, checks. */
const access = (fields: Fields, colours: Colors): string => {
  const { method, route, path, status, ms, promptTokens, completionTokens, safeguards } = fields
  const paint = Number(status) >= 500 ? colours.red : Number(status) >= 400 ? colours.yellow : colours.green
  return [
    `${String(method)} ${String(path ?? route)} ${paint(String(status))} ${Math.round(Number(ms))} ms`,
    ...(promptTokens === undefined ? [] : [tokens(promptTokens, completionTokens)]),
    ...(safeguards === undefined ? [] : [colours.dim(textOf(safeguards).replaceAll('=pass', '').replaceAll(',', ' '))]),
  ].join(' ')
}

const tokens = (prompt: unknown, completion: unknown): string =>
  `${textOf(prompt)}${completion === undefined ? '' : `+${textOf(completion)}`} tokens`

const without = (fields: Fields, names: readonly string[]): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)))

const pairsOf = (fields: Fields): string =>
  Array.from(Object.entries(fields), ([name, value]) => ` ${name}=${valueOf(value)}`).join('')

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

const valueOf = (value: unknown): string => {
  const error = errorIn(value)
  if (error) return error.head
  return typeof value === 'string' && /^[^\s"=]+$/.test(value) ? value : JSON.stringify(value)
}

const framesIn = (fields: Fields): string[] =>
  Object.values(fields).flatMap((value) => errorIn(value)?.frames.map((frame) => `    ${frame}`) ?? [])

/** The logger writes errors with a stack (`err`), or with frames. */
const errorIn = (value: unknown): { readonly head: string; readonly frames: readonly string[] } | undefined => {
  if (typeof value !== 'object' || value === null) return undefined
  const { type, name, code, message, foreignMessage, stack, frames, cause } = value as Fields
  const lines = typeof stack === 'string' ? stack.split('\n').slice(1) : frames
  if (!Array.isArray(lines)) return undefined
  const deeper = errorIn(cause)
  const parts = [type ?? name, code, message ?? foreignMessage].filter((part) => part !== undefined)
  const own = parts.map(textOf).join(' ')
  return {
    head: deeper ? `${own} (${deeper.head})` : own,
    frames: [...lines.map((line) => String(line).trim()), ...(deeper?.frames ?? [])],
  }
}

/** Removes control characters, which file names and output of programs may have; stacks keep their line breaks. */
const withoutControls = (key: string, value: unknown): unknown =>
  typeof value !== 'string'
    ? value
    : stripVTControlCharacters(value).replace(key === 'stack' ? /[^\P{Cc}\n]/gu : /\p{Cc}/gu, ' ')

import { isUtf8 } from 'node:buffer'
import { readFileSync } from 'node:fs'
import { isRecord } from '@sallyport/kit/json'
import { failure } from '@sallyport/core'
import type { Origin } from '@sallyport/core'

export interface TextRow {
  readonly text: string
  /** The number of its line in the file, from 1. */
  readonly line: number
  /** What the text must agree with. */
  readonly reference?: string
  /** What kind of text it is, in any word. */
  readonly genre?: string
  /** Where it comes from: texts of one source are not independent. */
  readonly source?: string
  /** Whose text it is in a request, as the chain would tell detectors; absent where unknown. */
  readonly origin?: Origin
}

/** A text that a person has judged. */
export interface LabelledRow extends TextRow {
  /** Whether it is what the detector looks for. */
  readonly label: boolean
}

/** The argument of commands that take labelled rows. */
export const rowsFile = {
  name: '<file>',
  description:
    'JSON Lines: {"text": "…", "label": 1}, or 0; 1 is what the detector is to find (an attack, a secret, ' +
    'a text that its "reference" does not support); "genre" is what false alarms are counted by, texts of one ' +
    '"source" belong together, and "origin" is as in --origin',
}

const origins: Readonly<Record<Origin, true>> = { user: true, system: true, document: true, tool: true, model: true }
const originNames = Object.keys(origins)
  .join(', ')
  .replace(/, (\w+)$/, ' or $1')

const isOrigin = (value: unknown): value is Origin => typeof value === 'string' && Object.hasOwn(origins, value)

export const originOption = {
  flags: '--origin <origin>',
  description: `where texts are from that do not say it, since detectors judge by it: ${originNames} (default: unknown)`,
}

/** @param written the value of the option `--origin` @throws invalid_request */
export const readOrigin = (written: string | undefined): { readonly origin?: Origin } => {
  if (written === undefined) return {}
  if (isOrigin(written)) return { origin: written }
  throw invalid('--origin', `must be ${originNames}`)
}

/**
 * Reads JSON Lines: `{"text": …, "label": 0 or 1, "reference": …, "genre": …, "source": …, "origin": …}`, the last four
 * optional.
 * @param defaults what holds for rows that do not say it
 * @throws invalid_request, which names the line
 */
export const readRows = (file: string, defaults: Pick<TextRow, 'origin'> = {}): LabelledRow[] => {
  const rows = linesOf(file).map(({ line, number }) => {
    const { label, ...row } = parseRow(line, number, `${file}:${number}`)
    if (label === undefined) throw invalid(`${file}:${number}`, 'must have a "label": 0 or 1')
    return { ...defaults, ...row, label }
  })
  for (const wanted of [true, false])
    if (!rows.some(({ label }) => label === wanted)) throw invalid(file, `has no row with the label ${Number(wanted)}`)
  return rows
}

/**
 * Reads harmless texts: the lines of a .txt file, or else JSON Lines without a label, or with the label 0.
 * @param defaults what holds for rows that do not say it
 * @param genre if given, only rows of this genre are read
 * @throws invalid_request, which names the line
 */
export const readHarmless = (file: string, defaults: Pick<TextRow, 'origin'> = {}, genre?: string): TextRow[] => {
  const plain = file.toLowerCase().endsWith('.txt')
  const rows = linesOf(file).map(({ line, number }): TextRow => {
    if (plain) return { ...defaults, text: line, line: number }
    const { label, ...row } = parseRow(line, number, `${file}:${number}`)
    if (label) throw invalid(`${file}:${number}`, 'has the label 1: the texts must be harmless')
    return { ...defaults, ...row }
  })
  if (!rows.length) throw invalid(file, 'has no rows')
  const wanted = genre === undefined ? rows : rows.filter((row) => row.genre === genre)
  if (!wanted.length) throw invalid('--genre', `there is no row of the genre "${String(genre)}"`)
  return wanted
}

const invalid = (field: string, problem: string, cause?: unknown) =>
  failure('invalid_request', { field, problem }, cause === undefined ? {} : { cause })

const linesOf = (file: string): { line: string; number: number }[] =>
  // as Latin-1, in which each byte is a character
  readBytes(file)
    .toString('latin1')
    .split(/\r?\n/)
    .flatMap((bytes, index) => {
      const line = textOf(Buffer.from(bytes, 'latin1'), `${file}:${index + 1}`)
      return line.trim() ? [{ line, number: index + 1 }] : []
    })

/** NUL stands in no text, but in UTF-16. @throws invalid_request */
const textOf = (bytes: Buffer, field: string): string => {
  if (isUtf8(bytes) && !bytes.includes(0)) return new TextDecoder().decode(bytes)
  throw invalid(field, 'must be UTF-8: save the file in that encoding')
}

const readBytes = (file: string): Buffer => {
  try {
    return readFileSync(file)
  } catch (cause) {
    throw invalid(file, 'cannot be read: does the file exist?', cause)
  }
}

const parseRow = (json: string, line: number, field: string): TextRow & { label?: boolean } => {
  const row = parseJson(json)
  if (!isRecord(row) || typeof row['text'] !== 'string') throw invalid(field, 'must be a JSON object with a "text"')
  const { text, label, origin } = row
  if (!text.trim()) throw invalid(field, 'must have a "text" that is not empty: remove the row')
  if (label !== undefined && label !== 0 && label !== 1 && typeof label !== 'boolean')
    throw invalid(field, 'must have a "label": 0 or 1')
  if (origin !== undefined && !isOrigin(origin))
    throw invalid(field, `must have an "origin" that is ${originNames}, or none`)
  const words = ['reference', 'genre', 'source'].flatMap((name) => {
    const value = row[name]
    if (value === undefined) return []
    if (typeof value !== 'string' && typeof value !== 'number')
      throw invalid(field, `must have a "${name}" that is a string or a number, or none`)
    return [[name, String(value)] as const]
  })
  return {
    ...{ text, line },
    ...(label === undefined ? {} : { label: Boolean(label) }),
    ...(origin === undefined ? {} : { origin }),
    ...Object.fromEntries(words),
  }
}

const parseJson = (line: string): unknown => {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

import { readFileSync } from 'node:fs'
import { isRecord } from '@sallyport/kit/json'
import { failure } from '@sallyport/core'

/** A text that a person has judged. */
export interface LabelledRow {
  readonly text: string
  /** Whether it is what the detector looks for. */
  readonly label: boolean
  /** What the text must agree with. */
  readonly reference?: string
}

/** Reads JSON Lines: `{"text": …, "label": 0 or 1, "reference": …}`. @throws invalid_request, which names the line */
export const readRows = (file: string): LabelledRow[] => {
  const rows = readText(file)
    .split('\n')
    .flatMap((line, index) => (line.trim() ? [parseRow(line, `${file}:${index + 1}`)] : []))
  for (const wanted of [true, false])
    if (!rows.some(({ label }) => label === wanted))
      throw failure('invalid_request', { field: file, problem: `has no row with the label ${Number(wanted)}` })
  return rows
}

const readText = (file: string): string => {
  try {
    return readFileSync(file, 'utf8')
  } catch (cause) {
    throw failure('invalid_request', { field: file, problem: 'cannot be read: does the file exist?' }, { cause })
  }
}

const parseRow = (line: string, field: string): LabelledRow => {
  const row = parseJson(line)
  if (!isRecord(row) || typeof row['text'] !== 'string')
    throw failure('invalid_request', { field, problem: 'must be a JSON object with a "text"' })
  const { text, label, reference } = row
  if (label !== 0 && label !== 1 && typeof label !== 'boolean')
    throw failure('invalid_request', { field, problem: 'must have a "label": 0 or 1' })
  return { text, label: Boolean(label), ...(typeof reference === 'string' ? { reference } : {}) }
}

const parseJson = (line: string): unknown => {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

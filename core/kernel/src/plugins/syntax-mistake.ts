import { isList, isRecord } from '@sallyport/kit/json'

/** Where source code cannot be read, and why. */
export interface SyntaxMistake {
  readonly text: string
  /** From 1. */
  readonly line: number
  /** From 1. */
  readonly column: number
}

/** The first mistake of a failed transformation by esbuild. */
export const firstMistake = (failure: unknown): SyntaxMistake | undefined => {
  const errors = failure instanceof Error && 'errors' in failure && isList(failure.errors) ? failure.errors : []
  const [first] = errors
  if (!isRecord(first) || !isRecord(first.location)) return undefined
  const { line, column } = first.location
  return { text: String(first.text), line: Number(line), column: Number(column) + 1 }
}

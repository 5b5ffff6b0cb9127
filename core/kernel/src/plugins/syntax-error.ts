import { isList, isRecord } from '@sallyport/kit/json'

/** The message and the location of a syntax error. */
interface SyntaxErrorInfo {
  readonly message: string
  /** The line, counted from 1. */
  readonly line: number
  /** The column, counted from 1. */
  readonly column: number
}

/** The first syntax error of a failed transformation by esbuild. */
export const firstSyntaxError = (failure: unknown): SyntaxErrorInfo | undefined => {
  const errors = failure instanceof Error && 'errors' in failure && isList(failure.errors) ? failure.errors : []
  const [first] = errors
  if (!isRecord(first) || !isRecord(first.location)) return undefined
  const { line, column } = first.location
  return { message: String(first.text), line: Number(line), column: Number(column) + 1 }
}

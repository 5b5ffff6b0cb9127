import { fromErrorData, isSallyportError, toErrorData } from './error.js'

/** Where an error names one of the inputs of a part of a request (`inputs[1].image`): its place in the whole one. */
export const movedInput = (error: unknown, place: (index: number) => number): unknown => {
  if (!isSallyportError(error)) return error
  const { field } = error.details
  if (typeof field !== 'string') return error
  const moved = field.replace(/^inputs\[(\d+)\]/, (_, index: string) => `inputs[${place(Number(index))}]`)
  const data = toErrorData(error)
  return fromErrorData({ ...data, details: { ...data.details, field: moved } })
}

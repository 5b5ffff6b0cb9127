export const later = <Value>(value: Value, milliseconds: number) =>
  new Promise<Value>((resolve) => setTimeout(() => resolve(value), milliseconds))

export const rejection = async (promise: Promise<unknown>): Promise<unknown> => {
  try {
    await promise
  } catch (error) {
    return error
  }
  throw new Error('expected a rejection')
}

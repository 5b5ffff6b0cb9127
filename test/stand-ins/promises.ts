export const later = <Value>(value: Value, milliseconds: number) =>
  new Promise<Value>((resolve) => setTimeout(() => resolve(value), milliseconds))

/** Waits until the condition holds. */
export const until = async (condition: () => boolean | Promise<boolean>, milliseconds = 30_000): Promise<void> => {
  const end = performance.now() + milliseconds
  while (!(await condition())) {
    if (performance.now() > end) throw new Error(`not within ${milliseconds} ms: ${condition.toString()}`)
    await later(undefined, 5)
  }
}

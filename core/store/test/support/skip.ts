/** Skips the running test, and keeps the reason in its title. */
export const skipBecause = (context: Mocha.Context, reason: string): never => {
  if (context.test) context.test.title += ` (${reason})`
  return context.skip()
}

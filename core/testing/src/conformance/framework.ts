type Body = () => Promise<void>

/** The part of mocha, jest and vitest that the conformance suites use. */
export interface Framework {
  readonly describe: (name: string, body: () => void) => void
  readonly it: Test & { readonly skip: Test }
  readonly before: (body: Body) => void
  readonly after: (body: Body) => void
}

type Test = (name: string, body: Body) => void

/** mocha's context; the other frameworks have none. */
type Context = { timeout?: (milliseconds: number) => unknown } | undefined

/** Jest and vitest take the time limit from the last argument, mocha from the context. */
type LimitedBody = (this: Context) => Promise<void>
type LimitedHook = (body: LimitedBody, timeout: number) => void
type LimitedTest = (name: string, body: LimitedBody, timeout: number) => void

interface Globals {
  describe: Framework['describe']
  it: LimitedTest & { skip: LimitedTest }
  before: LimitedHook
  beforeAll: LimitedHook
  after: LimitedHook
  afterAll: LimitedHook
}

/** The running test framework, with a time limit in milliseconds. Mocha has `before`, the others have `beforeAll`. */
export const framework = (timeout: number): Framework => {
  const { describe, it, before, beforeAll, after, afterAll } = globalThis as Partial<Globals>
  const [first, last] = [before ?? beforeAll, after ?? afterAll]
  if (!describe || !it || !first || !last)
    throw new Error('no describe, it, before and after found: run this with mocha, jest, or vitest with globals')
  const test =
    (register: LimitedTest): Test =>
    (name, body) =>
      register(name, limited(body, timeout), timeout)
  const hook = (register: LimitedHook) => (body: Body) => register(limited(body, timeout), timeout)
  return { describe, it: Object.assign(test(it), { skip: test(it.skip) }), before: hook(first), after: hook(last) }
}

const limited = (body: Body, milliseconds: number): LimitedBody =>
  function () {
    this?.timeout?.(milliseconds)
    return body()
  }

/** Chat whose answers are what the request asks for: JSON, by a schema, calls of the tools that there are. */

import type { Call } from '../capabilities/call.js'
import type { ChatCapability } from '../capabilities/chat.js'
import { failure, isSallyportError } from '../errors/index.js'
import { blockedBy } from '../guard/checks.js'
import { Answers } from './answers.js'
import type { Validate } from './answers.js'
import { expectationOf } from './expectation.js'
import type { Held } from './expectation.js'
import { tooComplex } from './protocol.js'
import type { SchemaChecker } from './schema-checker.js'

type Stream = ChatCapability['stream']

/**
 * Checks twice what the model says: as it says it, and what leaves the safeguards. These may replace something in an
 * answer, or in a schema that the model is shown, so that what was valid no longer is: then nothing more leaves.
 * @param guarded puts the safeguards around a stream
 */
export const structuredChat = (backend: Stream, guarded: (stream: Stream) => Stream, checker: SchemaChecker): Stream =>
  async function* (request, call) {
    const validate = validation(checker, call)
    const outside = await expectationOf(request, checker, call)
    const model: Stream = async function* (shown, inner) {
      const expected = shown === request ? outside : await expectationOf(shown, checker, inner).catch(refuseReplaced)
      yield* checked(backend(shown, inner), new Answers(expected, validate))
    }
    const leaving = new Answers(outside, validate)
    for await (const chunk of guarded(model)(request, call)) {
      await leaving.add(chunk).catch(refuseReplaced)
      yield chunk
    }
  }

async function* checked(chunks: ReturnType<Stream>, answers: Answers) {
  for await (const chunk of chunks) {
    await answers.add(chunk)
    yield chunk
  }
}

/** What a model said is not validated again where it leaves as it was said. */
const validation = (checker: SchemaChecker, call: Call): Validate => {
  const valid = new Set<string>()
  return async (held: Held, text: string) => {
    const key = `${held.hash} ${text}`
    if (valid.has(key)) return undefined
    const problem = await checker.problemOfAnswer(held, text, call)
    if (problem?.problem === tooComplex.problem)
      throw failure('invalid_request', { field: held.field, problem: problem.problem })
    if (!problem) valid.add(key)
    return problem
  }
}

/** @throws content_blocked in the place of what is wrong with a request or an answer */
const refuseReplaced = (error: unknown): never => {
  const isReplaced = isSallyportError(error) && (error.code === 'invalid_output' || error.code === 'invalid_request')
  throw isReplaced ? failure('content_blocked', { verdict: blockedBy.pii }) : error
}

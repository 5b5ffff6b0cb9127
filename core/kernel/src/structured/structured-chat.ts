/** Chat whose answers are what the request asks for: JSON, by a schema, calls of the tools that there are. */

import { failure, isSallyportError } from '@sallyport/core'
import type { Call, ChatCapability } from '@sallyport/core'
import type { SchemaChecker } from '@sallyport/kit/schemas'
import { Answers } from './answers.js'
import type { Validate } from './answers.js'
import { expectationOf } from './expectation.js'
import type { SchemaConstraint } from './expectation.js'

/**
 * Checks twice what the model says: as it says it, and what leaves the safeguards. These may replace something in an
 * answer, or in a schema that the model is shown, so that what was valid no longer is: then nothing more leaves.
 * @param guarded puts the safeguards around a service
 * @param message what clients are told where a replacement leaves what does not fit
 */
export const structuredChat = (
  backend: ChatCapability,
  guarded: (service: ChatCapability) => ChatCapability,
  checker: SchemaChecker,
  message = 'blocked',
): ChatCapability => ({
  async *stream(request, call) {
    const refuse = refuseReplaced(message)
    const validate = validation(checker, call)
    const expected = await expectationOf(request, checker, call)
    const model: ChatCapability = {
      async *stream(modelRequest, inner) {
        const ofModel =
          modelRequest === request ? expected : await expectationOf(modelRequest, checker, inner).catch(refuse)
        const answered = new Answers(ofModel, validate)
        for await (const chunk of backend.stream(modelRequest, inner)) {
          await answered.add(chunk)
          yield chunk
        }
      },
    }
    const leaving = new Answers(expected, validate)
    for await (const chunk of guarded(model).stream(request, call)) {
      await leaving.add(chunk).catch(refuse)
      yield chunk
    }
  },
})

/** What a model said is not validated again where it leaves as it was said. */
const validation = (checker: SchemaChecker, call: Call): Validate => {
  const valid = new Set<string>()
  return async (constraint: SchemaConstraint, text: string) => {
    const key = `${constraint.hash} ${text}`
    if (valid.has(key)) return undefined
    const problem = await checker.problemOfAnswer(constraint, text, call)
    if (problem && problem.kind !== 'answer')
      throw failure('invalid_request', { field: constraint.field, problem: problem.problem })
    if (!problem) valid.add(key)
    return problem
  }
}

/** @throws content_blocked in the place of what is wrong with a request or an answer */
const refuseReplaced =
  (verdict: string) =>
  (error: unknown): never => {
    const isReplaced = isSallyportError(error) && (error.code === 'invalid_output' || error.code === 'invalid_request')
    throw isReplaced ? failure('content_blocked', { verdict }) : error
  }

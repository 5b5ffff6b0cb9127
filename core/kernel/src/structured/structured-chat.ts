/** Chat whose answers are as the request demands: JSON, by its schema if any, and calls of the offered tools. */

import { failure, isSallyportError } from '@sallyport/core'
import type { Call, ChatCapability } from '@sallyport/core'
import type { SchemaChecker } from '@sallyport/kit/schemas'
import { AnswerValidator } from './answers.js'
import type { Validate } from './answers.js'
import { expectationOf } from './expectation.js'
import type { SchemaConstraint } from './expectation.js'

/**
 * Validates answers twice: as the model generates them, and as they leave the safeguards. These may replace something
 * in an answer, or in a schema that the model is shown, so that a valid answer becomes invalid: then the stream is
 * blocked.
 * @param guarded wraps a service in the safeguards
 * @param message the public message where a replacement has made an answer invalid
 */
export const structuredChat = (
  backend: ChatCapability,
  guarded: (service: ChatCapability) => ChatCapability,
  checker: SchemaChecker,
  message = 'blocked',
): ChatCapability => ({
  async *stream(request, call) {
    const refuse = blockUnfit(message)
    const validate = validator(checker, call)
    const expected = await expectationOf(request, checker, call)
    const model: ChatCapability = {
      async *stream(modelRequest, inner) {
        const modelExpectation =
          modelRequest === request ? expected : await expectationOf(modelRequest, checker, inner).catch(refuse)
        const modelAnswer = new AnswerValidator(modelExpectation, validate)
        for await (const chunk of backend.stream(modelRequest, inner)) {
          await modelAnswer.add(chunk)
          yield chunk
        }
      },
    }
    const clientAnswer = new AnswerValidator(expected, validate)
    for await (const chunk of guarded(model).stream(request, call)) {
      await clientAnswer.add(chunk).catch(refuse)
      yield chunk
    }
  },
})

/** Remembers valid texts, so that what leaves as it was generated is not validated again. */
const validator = (checker: SchemaChecker, call: Call): Validate => {
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

/** Throws `content_blocked` in place of `invalid_output` and `invalid_request`. */
const blockUnfit =
  (message: string) =>
  (error: unknown): never => {
    const isUnfit = isSallyportError(error) && (error.code === 'invalid_output' || error.code === 'invalid_request')
    throw isUnfit ? failure('content_blocked', { message }) : error
  }

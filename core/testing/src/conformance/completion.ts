import assert from 'node:assert/strict'
import type { CompletionCapability, CompletionRequest } from '@sallyport/core'
import { cases } from './case.js'
import type { ConformanceCase } from './case.js'
import { answerTo, generationCases, greedy } from './generation.js'
import type { RequestOf } from './generation.js'
import { stopCases } from './stop-sequences.js'
import { valueUnless } from './support.js'

const requestOf: RequestOf<CompletionRequest> = (prompt, options) => ({ ...options, prompt })

export const completionCases: readonly ConformanceCase<CompletionCapability>[] = [
  ...generationCases(requestOf),
  ...stopCases(requestOf),
  ...cases<CompletionCapability>({
    'the prompt is not part of the continuation': async (service) => {
      const prompt = 'The quick brown fox'
      const { text } = await answerTo(service, requestOf(prompt, greedy))
      assert.ok(!text.trimStart().startsWith(prompt), 'the continuation repeats the prompt')
    },
    'a suffix is infilled, or refused with unsupported': async (service) => {
      const request = { ...requestOf('The first day is ', greedy), suffix: ' and the last day is Sunday.' }
      const answer = await valueUnless(answerTo(service, request), 'unsupported')
      if (answer)
        assert.notEqual(
          answer.text,
          (await answerTo(service, requestOf(request.prompt, greedy))).text,
          'the suffix was ignored',
        )
    },
  }),
]

/**
 * Tells whether the backend is done: `npx mocha shout.test.js` once it is compiled, or the same file under vitest or
 * jest with their globals.
 */
import { chat } from '@sallyport/core'
import { createKernel } from '@sallyport/kernel'
import { runConformance } from '@sallyport/testing'
import shout from './shout.js'

runConformance(chat, {
  /** Made once for all cases. Through the kernel, as callers get it; `new ShoutChat(…)` would do as well. */
  create: async () => {
    const kernel = await createKernel({ plugins: [shout] })
    return { service: kernel.get(chat), dispose: () => kernel.stop() }
  },
  /** What the cases cannot know. Without `features.tools`, those that call tools are left out. */
  facts: { contextLength: 4096 },
  /** Cases that do not hold, each with the reason. */
  skip: {
    'a lone surrogate in the prompt is answered or refused': 'texts come through HTTP, which lets none in',
    'log-probabilities are those of the text’s tokens': 'there are no probabilities in shouting',
    'log-probabilities are at most 0, and the alternatives best first': 'there are no probabilities in shouting',
  },
})

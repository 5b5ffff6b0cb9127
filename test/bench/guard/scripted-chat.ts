/** A model that says what a script says, cut otherwise each time, and a detector that blocks some of it. */

import { setTimeout as sleep } from 'node:timers/promises'
import { chat, definePlugin, injectable } from '@sallyport/core'
import type { Call, ChatCapability, ChatRequest } from '@sallyport/core'
import { toxicity } from '@sallyport/checks'
import { lastText } from '@sallyport/kit/generation'
import { WordToxicity } from '@sallyport/testing/reference'
import { randomNumbers } from '@sallyport/kit/numbers'
import { piecesOf, textOf } from './script.js'

/** Milliseconds. */
const longestPause = 8

let answers = 0

/** It is asked by `script <number>`, or `script <number> up to the block`. */
@injectable()
class ScriptedChat implements ChatCapability {
  async *stream({ messages }: ChatRequest, { signal }: Call) {
    const [, script = '0', upTo] = /script (\d+)( up to the block)?/.exec(lastText(messages)) ?? []
    const random = randomNumbers((answers += 1))
    let completionTokens = 0
    for (const delta of piecesOf(textOf(Number(script), upTo !== undefined), random)) {
      await sleep(random() * longestPause, undefined, { signal })
      completionTokens += 1
      yield { delta }
    }
    yield { finish: 'stop', usage: { promptTokens: 1, completionTokens } } as const
  }
}

export default definePlugin({
  name: 'scripted',
  models: {
    scripted: { capability: chat, class: ScriptedChat, contextLength: 4096 },
    'word-toxicity': { capability: toxicity, class: WordToxicity },
  },
})

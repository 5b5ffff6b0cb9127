/** Cases of stop sequences. These are taken from the model's own answer without them. */

import assert from 'node:assert/strict'
import { cases } from './case.js'
import type { ConformanceCase } from './case.js'
import { answerTo, deltasOf, promptsOf, greedy } from './generation.js'
import type { RequestOf, Chunk } from './generation.js'
import type { ModelFacts } from './facts.js'
import { codePoints, collectChunks, testCall } from './support.js'
import type { Streamer } from './stream-cases.js'

export const stopCases = <Request>(requestOf: RequestOf<Request>): ConformanceCase<Streamer<Request, Chunk>>[] => {
  type Service = Streamer<Request, Chunk>

  const deltasWithoutStop = async (service: Service, facts: ModelFacts) =>
    deltasOf(await collectChunks(service.stream(requestOf(promptsOf(facts)[0], greedy), testCall())))

  const assertStops = async (service: Service, facts: ModelFacts, stop: string[], text: string, at: string) => {
    const answer = await answerTo(service, requestOf(promptsOf(facts)[0], { ...greedy, stop }))
    assert.equal(answer.text, text.slice(0, text.indexOf(at)))
    assert.equal(answer.finish, 'stop')
    if (answer.stopSequence !== undefined) assert.equal(answer.stopSequence, at)
  }

  return cases<Streamer<Request, Chunk>>({
    'a stop sequence ends the answer and is left out': async (service, facts) => {
      const text = (await deltasWithoutStop(service, facts)).join('')
      const stop = middleOf(text, 0.5)
      await assertStops(service, facts, [stop], text, stop)
    },
    'a stop sequence that straddles chunks is left out': async (service, facts) => {
      const deltas = await deltasWithoutStop(service, facts)
      const stop = straddlingText(deltas)
      await assertStops(service, facts, [stop], deltas.join(''), stop)
    },
    'of several stop sequences the first to come ends the answer': async (service, facts) => {
      const text = (await deltasWithoutStop(service, facts)).join('')
      // In an answer that repeats itself, the one from behind may come first.
      const [first = '', other = ''] = [0.3, 0.8]
        .map((share) => middleOf(text, share))
        .sort((a, b) => text.indexOf(a) - text.indexOf(b))
      await assertStops(service, facts, [other, 'never to be said ¬¬', first], text, first)
    },
    'a text that might have begun a stop sequence is not lost': async (service, facts) => {
      const text = (await deltasWithoutStop(service, facts)).join('')
      const stop = [`${text.slice(-3)}\u0001\u0002`, `${text.slice(-1)}\u0003`]
      const answer = await answerTo(service, requestOf(promptsOf(facts)[0], { ...greedy, stop }))
      assert.equal(answer.text, text)
    },
  })
}

/** Four characters, from a share of the text on. */
const middleOf = (text: string, share: number): string => {
  const characters = codePoints(text)
  assert.ok(characters.length >= 24, 'the answer is too short to stop in it: other prompts are needed')
  const at = Math.floor(characters.length * share)
  return characters.slice(at, at + 4).join('')
}

/** The end of one chunk and the beginning of the next, at a place where their combination occurs first. */
const straddlingText = (deltas: readonly string[]): string => {
  const text = deltas.join('')
  let boundary = 0
  for (const [index, delta] of deltas.slice(0, -1).entries()) {
    boundary += delta.length
    const tail = codePoints(delta).slice(-2).join('')
    const stop =
      tail +
      codePoints(deltas[index + 1] ?? '')
        .slice(0, 2)
        .join('')
    if (index > 0 && text.indexOf(stop) === boundary - tail.length) return stop
  }
  return assert.fail('the answer comes in one chunk, or repeats itself: other prompts are needed')
}

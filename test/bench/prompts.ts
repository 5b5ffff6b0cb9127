/** Prompts that no server has seen before: they differ from the first word on, so that no cache helps. */

import { randomNumbers } from '@sallyport/kit/numbers'
import type { ChatPrompt } from './client/chat-client.js'

export const words = (
  'amber anchor apple arrow autumn badge bakery barrel basket beacon bridge bronze butter button cabin candle canyon ' +
  'carpet castle cedar chapel cherry circle citrus clover cobalt comet copper coral cotton cradle crystal desert ' +
  'dinner dragon eagle ember engine fabric falcon feather field finger flower forest fossil garden ginger glacier ' +
  'granite guitar hammer harbor harvest hazel helmet hollow honey island ivory jacket jasmine jungle kettle ladder ' +
  'lantern lemon library magnet maple marble meadow melody mirror mountain needle ocean olive orchard oyster palace ' +
  'paper pepper piano pillow planet pocket prairie puzzle quarry rabbit rainbow ribbon river saddle saffron sailor ' +
  'shadow silver spider spring stable summer temple thunder timber tunnel turtle valley velvet violin walnut window'
).split(' ')

let asked = 0

/** Numbers that no earlier prompt of this run was made from. */
const nextSeed = (): number => (asked += 1)

const wordsFrom = (random: () => number, count: number): string[] =>
  Array.from({ length: count }, () => words[Math.floor(random() * words.length)] ?? '')

/** About twenty tokens, answered at length. */
export const shortPrompt = (seed = nextSeed()): ChatPrompt => {
  const [first = '', second = '', third = ''] = wordsFrom(randomNumbers(seed), 3)
  return { system: `${first} ${second} writer`, user: `Write a long essay about the history of the ${third}.` }
}

/** A prompt of so many words, which are one to two tokens each. */
export const longPrompt = (count: number, seed = nextSeed()): ChatPrompt => {
  const random = randomNumbers(seed)
  const [first = ''] = wordsFrom(random, 1)
  return { system: `${first} summariser`, user: `Summarise: ${wordsFrom(random, count).join(' ')}` }
}

export const shortPrompts = (count: number): ChatPrompt[] => Array.from({ length: count }, () => shortPrompt())

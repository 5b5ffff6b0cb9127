import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect } from 'chai'
import { definitions, idsOf, tokenizerOf } from './support/tokenizers.js'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

const heap = () => {
  collectGarbage()
  return process.memoryUsage().heapUsed + process.memoryUsage().external
}

describe('texts that were read', () => {
  const letters = (number: number) =>
    Array.from(String(number).padStart(8, '0'), (digit) => 'abcdefghij'[Number(digit)]).join('')
  const rare = {
    word: (number: number) => `zyx${letters(number)}wvutsrqpo`,
    'character with its accents': (number: number) =>
      `e${Array.from(letters(number), (letter) => String.fromCharCode(0x300 + letter.charCodeAt(0) - 97))
        .join('')
        .repeat(2)}`,
  }

  for (const [kind, what] of [
    ['wordPiece', 'word'],
    ['wordPiece', 'character with its accents'],
    ['bytePair', 'word'],
    ['unigram', 'word'],
  ] as const)
    it(`${kind}: are forgotten, though a ${what} of theirs is remembered`, async () => {
      const tokenizer = tokenizerOf(definitions[kind])
      const read = (number: number) => idsOf(tokenizer, `${'the fox '.repeat(2000)}${rare[what](number)} the`)
      for (let number = 0; number < 8; number += 1) await read(number)
      const before = heap()
      for (let number = 8; number < 108; number += 1) await read(number)
      // the texts have 1.6 MB together, and twice as much where they are not Latin
      expect(heap() - before).to.be.below(1e6)
    }).timeout(30_000)
})

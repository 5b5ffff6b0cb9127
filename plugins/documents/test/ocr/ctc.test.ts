import { expect } from 'chai'
import fc from 'fast-check'
import { decodeCtc } from '../../src/ocr/pp-ocr/ctc.js'

const characters = ['a', 'b', 'c', ' ']

/** Each step as sure as it says, the rest shared out among the other classes. */
const steps = (classes: readonly number[], sure = 0.9): Float32Array =>
  Float32Array.from(
    classes.flatMap((best) =>
      Array.from({ length: characters.length + 1 }, (_, index) =>
        index === best ? sure : (1 - sure) / characters.length,
      ),
    ),
  )

describe('CTC decoding', () => {
  for (const [what, classes, text] of [
    ['nothing', [], ''],
    ['blanks only', [0, 0, 0], ''],
    ['repeated classes are one character', [1, 1, 1, 2, 2], 'ab'],
    ['a blank between equal classes makes two characters', [1, 0, 1], 'aa'],
    ['a space is a character', [1, 4, 4, 2], 'a b'],
  ] as const)
    it(`${what}: ${JSON.stringify(text)}`, () => expect(decodeCtc(steps(classes), characters).text).to.equal(text))

  it('takes the most probable class where none has more than one half', () => {
    const { text, confidence } = decodeCtc(steps([3, 0, 2], 0.3), characters)
    expect(text).to.equal('cb')
    expect(confidence).to.be.closeTo(0.3, 1e-6)
  })

  it('gives back any text whose equal neighbours are parted by blanks, however long each character is', () => {
    const letters = fc.array(fc.tuple(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 3 })))
    fc.assert(
      fc.property(letters, fc.double({ min: 0.3, max: 1, noNaN: true }), (text, sure) => {
        const classes = text.flatMap(([letter, times]) => [0, ...Array.from({ length: times }, () => letter)])
        const decoded = decodeCtc(steps(classes, sure), characters)
        expect(decoded.text).to.equal(text.map(([letter]) => characters[letter - 1]).join(''))
        expect(decoded.confidence).to.be.closeTo(text.length > 0 ? sure : 0, 1e-6)
      }),
    )
  })

  it('leaves out an incomplete last step', () => {
    expect(decodeCtc(steps([1, 2]).subarray(0, 8), characters).text).to.equal('a')
  })
})

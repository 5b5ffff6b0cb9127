import { expect } from 'chai'
import fc from 'fast-check'
import { edited, linesOf, rewritten } from '../../src/views/edited.js'
import type { Edit } from '../../src/views/edited.js'
import { originalReading, positionOf } from '../../src/views/view.js'

/** A text and edits of it, in order and apart. */
const editedTexts = fc
  .array(
    fc.record({
      kept: fc.string({ maxLength: 4 }),
      written: fc.string({ minLength: 1, maxLength: 6 }),
      replacement: fc.string({ maxLength: 6 }),
    }),
    { minLength: 1, maxLength: 6 },
  )
  .map((parts) => {
    let text = ''
    const edits = parts.map(({ kept, written, replacement }): Edit => {
      const start = text.length + kept.length
      text += kept + written
      return { start, end: text.length, replacement }
    })
    return { text: `${text}end`, edits }
  })

describe('a text with parts that read as something else', () => {
  it('has the rest as it stands there, and knows where', () =>
    fc.assert(
      fc.property(editedTexts, ({ text, edits }) => {
        for (const make of [edited, rewritten]) {
          const view = make(originalReading(text), edits)
          if (!view) throw new Error('nothing was made')
          let [from, at] = [0, 0]
          for (const { start, end, replacement } of [
            ...edits,
            { start: text.length, end: text.length, replacement: '' },
          ]) {
            const kept = { start: at, end: at + start - from }
            expect(view.text.slice(kept.start, kept.end)).to.equal(text.slice(from, start))
            if (start > from) {
              expect(view.sourceOf(kept)).to.deep.equal({ start: from, end: start })
              expect(view.isInBase(kept)).to.equal(true)
              expect(view.keepsOfBase({ start: from, end: start })).to.equal(true)
            }
            at = kept.end + replacement.length
            if (replacement) {
              expect(view.text.slice(kept.end, at)).to.equal(replacement)
              expect(view.sourceOf({ start: kept.end, end: at })).to.deep.equal({ start, end })
              expect(view.isInBase({ start: kept.end, end: at })).to.equal(false)
              expect(view.keepsOfBase({ start, end })).to.equal(false)
            }
            from = end
          }
          expect(view.text).to.have.length(at)
        }
      }),
    ))

  const whole = originalReading('a %41%42 b')
  const edits = [{ start: 2, end: 8, replacement: 'AB' }]

  it('tells which share of a part a unit was written in, or all of it', () => {
    expect(edited(whole, edits)?.sourceOf({ start: 3, end: 4 })).to.deep.equal({ start: 5, end: 8 })
    expect(rewritten(whole, edits)?.sourceOf({ start: 3, end: 4 })).to.deep.equal({ start: 2, end: 8 })
  })

  it('may be made of one that is made of another', () => {
    const once = edited(whole, edits)
    const twice = once && rewritten(once, [{ start: 3, end: 5, replacement: '' }])
    expect(twice?.text).to.equal('a Ab')
    expect(twice?.sourceOf({ start: 2, end: 4 })).to.deep.equal({ start: 2, end: 10 })
    expect(twice && positionOf(twice, 9)).to.equal(3)
  })

  it('is none where nothing is edited', () => {
    expect(edited(whole, [])).to.equal(undefined)
    expect(linesOf(whole, [])).to.equal(undefined)
  })

  it('has a line for each part where only these are read', () => {
    const view = linesOf(whole, [
      { start: 2, end: 8, replacement: 'AB' },
      { start: 0, end: 1, replacement: 'x' },
    ])
    expect(view?.text).to.equal('AB\nx\n')
    expect(view?.sourceOf({ start: 1, end: 2 })).to.deep.equal({ start: 2, end: 8 })
    expect(view?.sourceOf({ start: 3, end: 5 })).to.deep.equal({ start: 0, end: 1 })
  })
})

import { expect } from 'chai'
import fc from 'fast-check'
import { canonicalJson } from '../../src/json/canonical-json.js'

const shuffled = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(shuffled)
  if (typeof value !== 'object' || value === null) return value
  const turned = Object.entries(value).reverse()
  return Object.fromEntries(turned.map(([key, item]) => [key, shuffled(item)]))
}

describe('canonical JSON', () => {
  it('has members in order, and none that is undefined', () => {
    const value = JSON.parse('{"b":[{"d":1.0,"c":null}],"10":2,"9":"ä","__proto__":true}') as object
    expect(canonicalJson({ ...value, a: undefined, e: [undefined] })).to.equal(
      '{"10":2,"9":"ä","__proto__":true,"b":[{"c":null,"d":1}],"e":[null]}',
    )
  })

  it('is the same for equal values, and says the same', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = canonicalJson(value)
        expect(JSON.parse(text)).to.deep.equal(JSON.parse(JSON.stringify(value)))
        expect(canonicalJson(shuffled(value))).to.equal(text)
      }),
    )
  })
})

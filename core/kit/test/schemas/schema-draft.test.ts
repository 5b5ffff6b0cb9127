import { expect } from 'chai'
import { schemaDraft } from '../../src/schemas/schema-draft.js'

const old = 'http://json-schema.org/draft-0'

describe('the draft of a schema', () => {
  for (const [schema, draft] of [
    [`${old}7/schema#`, 'draft-07'],
    [`${old}7/schema`, 'draft-07'],
    [`${old}4/schema#`, 'draft-07'],
    ['https://json-schema.org/draft-06/schema#', 'draft-07'],
    [`${old}3/schema#`, '2020-12'],
    [`${old}7/schema#/definitions/a`, '2020-12'],
    [`see ${old}7/schema#`, '2020-12'],
    ['https://json-schema.org/draft/2020-12/schema', '2020-12'],
    [7, '2020-12'],
    [undefined, '2020-12'],
  ] as const)
    it(`is ${draft} where it names ${schema}`, () => {
      expect(schemaDraft({ $schema: schema })).to.equal(draft)
    })

  it('is 2020-12 where it is no object', () => {
    for (const schema of [true, null, `${old}7/schema#`]) expect(schemaDraft(schema)).to.equal('2020-12')
  })
})

import { countTurns } from '@sallyport/testing'
import { expect } from 'chai'
import { compileRecognizer } from '../src/matching/compiled.js'
import { PatternSearch } from '../src/matching/pattern-search.js'
import { readRecognizers } from '../src/custom/index.js'
import { recognizers } from '../src/recognizers/index.js'
import { ThreadedSearch } from '../src/threads/threaded-search.js'
import { callOf } from './support.js'

const filler = 'The old bridge over the river was closed again, and nobody was told why. '.repeat(120)
const own = [{ entity: 'BADGE', pattern: 'badge #\\d{4}', flags: 'i', examples: [], counterExamples: [] }]
const texts: readonly (readonly [name: string, text: string])[] = [
  ['every example', recognizers.flatMap(({ examples }) => examples).join('.\n')],
  ['an own recogniser', `${filler} My Badge #1234, and badge #99.`],
  ['card numbers', '4111 1111 1111 1111, 5500-0000-0000-0004\n'.repeat(300)],
  ['what is open at its end', `${filler} write to jane.doe@exam`],
  [
    'other letters',
    `${'Комитет собрался снова. '.repeat(500)} ｊａｎｅ@example.com, ４１１１ １１１１ １１１１ １１１１`,
  ],
  ['base64', `${filler} ${Buffer.from('mail jane@example.com').toString('base64')}`],
]

describe('patterns in a thread', function () {
  this.timeout(120_000)
  let [here, threaded]: [PatternSearch?, ThreadedSearch?] = []
  before(async () => {
    const settings = { threshold: 0.5, entities: new Set(['PERSON', 'BADGE']) }
    const all = [...recognizers, ...(await readRecognizers(own, '/'))].map(compileRecognizer)
    here = new PatternSearch({ ...settings, recognizers: all })
    threaded = new ThreadedSearch(here, { ...settings, customRecognizers: own, directory: '/' })
  })
  after(() => threaded?.close())

  for (const [name, text] of texts)
    for (const ignored of [new Set<string>(), new Set(['PHONE_NUMBER', 'DATE_TIME'])])
      it(`find what they find here in ${name}${ignored.size ? ', but for ignored types' : ''}`, async () => {
        expect(text.length).to.be.above(8192)
        const request = { text, before: 'My card number is ', ignored }
        const found = await threaded?.find(request, callOf())
        expect(found).to.deep.equal(await here?.find(request, callOf()))
        expect(await threaded?.openSpans(request, callOf())).to.deep.equal(await here?.openSpans(request, callOf()))
      })

  it('leave the event loop to others while they look for a list of numbers', async () => {
    const request = { text: '4111111111111111\n'.repeat(15_000), before: '', ignored: new Set<string>() }
    expect(await countTurns(() => threaded?.find(request, callOf()) ?? Promise.reject(new Error()))).to.be.above(100)
  })

  it('find nothing where nobody waits any more', async () => {
    const gone = new AbortController()
    const request = { text: filler.repeat(20), before: '', ignored: new Set<string>() }
    const asked = threaded?.find(request, { ...callOf(), signal: gone.signal })
    gone.abort(new Error('left'))
    expect(await asked?.catch(String)).to.equal('Error: left')
  })
})

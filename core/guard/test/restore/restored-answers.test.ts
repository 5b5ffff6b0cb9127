import { expect } from 'chai'
import { Vault } from '@sallyport/core'
import { restored, saying, userSays, writer } from './support.js'

const echo = writer((asked) => asked)

describe('an answer whose policy restores', () => {
  it('has the originals that the model never saw', async () => {
    const { asked, said } = await restored('Write to Jane Miller.', echo)
    expect(asked?.messages[0]?.content).to.equal('Write to <PERSON_1>.')
    expect(said).to.equal('Write to Jane Miller.')
  })

  it('numbers substitutes in the order of the texts, and the same original the same', async () => {
    const messages = ['Bob Jones', 'jane@acme.com and Jane Miller', 'Bob Jones'].map((content, at) => ({
      role: at === 1 ? ('assistant' as const) : ('user' as const),
      content,
    }))
    const { asked } = await restored({ messages }, echo)
    expect(asked?.messages.map(({ content }) => content)).to.deep.equal([
      '<PERSON_1>',
      '<EMAIL_ADDRESS_1> and <PERSON_2>',
      '<PERSON_1>',
    ])
  })

  it('takes no number that the request has', async () => {
    const { asked, said } = await restored('Is <PERSON_1> Jane Miller?', echo)
    expect(asked?.messages[0]?.content).to.equal('Is <PERSON_1> <PERSON_2>?')
    expect(said).to.equal('Is <PERSON_1> Jane Miller?')
  })

  it('keeps what another request replaced', async () => {
    await restored('Write to Jane Miller.', echo)
    const { said } = await restored('Who is <PERSON_1>?', saying([{ delta: 'That is <PERSON_1>.' }]))
    expect(said).to.equal('That is <PERSON_1>.')
    const fake = await restored('Who is Ann?', saying([{ delta: 'That is Ann Smith.' }]), { method: 'fake' })
    expect(fake.said).to.equal('That is Ann Smith.')
  })

  it('has what earlier calls of the request replaced', async () => {
    const vault = new Vault()
    await restored('Jane Miller', echo, {}, { vault })
    const { asked, said } = await restored(
      'Bob Jones',
      writer((text) => `${text}, <PERSON_1>`),
      {},
      { vault },
    )
    expect(asked?.messages[0]?.content).to.equal('<PERSON_2>')
    expect(said).to.equal('Bob Jones, Jane Miller')
  })

  it('has fakes of which no two are equal, and none is in the request', async () => {
    const { asked, said } = await restored('Jane Miller meets Bob Jones.', echo, { method: 'fake' })
    expect(asked?.messages[0]?.content).to.equal('Ann Smith meets Tom Brown.')
    expect(said).to.equal('Jane Miller meets Bob Jones.')
    const other = await restored('Smith asks: is Ann with Jane Miller?', echo, { method: 'fake' })
    expect(other.asked?.messages[0]?.content).to.equal('Smith asks: is Ann with Eve Stone?')
  })

  it('numbers the category where no fake is free or distinctive', async () => {
    const { asked, said } = await restored('Jane Miller is 34, Ann Eve Smith Stone.', echo, { method: 'fake' })
    expect(asked?.messages[0]?.content).to.equal('<PERSON_1> is <NUMBER_1>, Ann Eve Smith Stone.')
    expect(said).to.equal('Jane Miller is 34, Ann Eve Smith Stone.')
  })

  it('leaves substitutes that an answer or a later call repeats to no check', async () => {
    const vault = new Vault()
    const output = {
      pii: { mode: 'enforce', threshold: 0.5, onFailure: 'block', budget: 5000, action: 'block' },
    } as const
    const first = await restored('Write to Jane Miller.', echo, { method: 'fake' }, { vault })
    expect(first.said).to.equal('Write to Jane Miller.')
    const again = await restored('Ann Smith, Jane Miller', echo, { method: 'fake' }, { vault })
    expect(again.asked?.messages[0]?.content).to.equal('Ann Smith, Ann Smith')
    const { exchange } = await import('../support.js')
    const { names, restoring } = await import('./support.js')
    const policy = { input: { pii: restoring({ method: 'fake' }) }, output }
    const checked = await exchange(userSays('Write to Jane Miller.'), { policy, detectors: { pii: names } }, echo)
    expect(checked.said).to.equal('Write to Jane Miller.')
    const other = writer(() => 'Write to Bob Jones.')
    const blocked = await exchange(userSays('Write to Jane Miller.'), { policy, detectors: { pii: names } }, other)
    expect(blocked.error).to.equal('pii detected')
  })
})

import { silentLogger } from '@sallyport/core'
import type { Kernel, LanguagePair, ModelOpener, TranslationCapability } from '@sallyport/core'
import type { Requester } from '@sallyport/kit/async'
import { expect } from 'chai'
import { PairModels } from '../src/marian-pairs/pair-models.js'

const [german, french, spanish] = ['de', 'fr', 'es'].map((target) => ({ source: 'en', target })) as [
  LanguagePair,
  LanguagePair,
  LanguagePair,
]

/** Models that are there at once, and what was done with them. */
const pairModels = (loaded: number, fails = false) => {
  const done: string[] = []
  const service = { translate: () => Promise.reject(new Error('not asked')) } as unknown as TranslationCapability
  const opener: ModelOpener = {
    has: () => true,
    open: (models) => {
      const name = String(Object.values(models).at(-1)?.source).slice(-2)
      done.push(`open ${name}`)
      if (fails) return Promise.reject(new Error('no such file'))
      const stop = () => Promise.resolve(void done.push(`stop ${name}`))
      return Promise.resolve({ get: () => service, stop } as unknown as Kernel)
    },
  }
  const options = { repository: '{source}-{target}', pairs: [], encoder: 'e', decoder: 'd', loaded, beams: 1 }
  const models = new PairModels('opus', { ...options, lengthPenalty: 1, batch: 1 }, opener, silentLogger)
  return { done, models }
}

/** Uses a pair until it is told to end. */
const using = (models: PairModels, pair: LanguagePair, requester: Partial<Requester> = {}) => {
  let end: () => void = () => undefined
  const ended = new Promise<void>((resolve) => (end = resolve))
  let began: () => void = () => undefined
  const begun = new Promise<void>((resolve) => (began = resolve))
  const done = models.use(pair, { tenant: 'a', signal: new AbortController().signal, ...requester }, () => {
    began()
    return ended
  })
  return { begun, end, done }
}

const turns = async () => {
  for (let turn = 0; turn < 10; turn += 1) await new Promise((resolve) => setImmediate(resolve))
}

describe('the models of pairs', () => {
  it('are no more than may be in memory, in use or not', async () => {
    const { models, done } = pairModels(1)
    const first = using(models, german)
    await first.begun
    const second = using(models, french)
    const again = using(models, german)
    await again.begun
    await turns()
    expect(done).to.deep.equal(['open de'])
    first.end()
    again.end()
    await second.begun
    expect(done).to.deep.equal(['open de', 'stop de', 'open fr'])
    second.end()
    await Promise.all([first.done, second.done, again.done])
    await models.stop()
    expect(done.at(-1)).to.equal('stop fr')
  })

  it('have room for one more of a tenant that has asked for none of them', async () => {
    const { models, done } = pairModels(1)
    const first = using(models, german)
    await first.begun
    const same = using(models, french)
    const other = using(models, spanish, { tenant: 'b' })
    await other.begun
    expect(done).to.deep.equal(['open de', 'open es'])
    for (const one of [first, other, same]) {
      one.end()
      await one.done
    }
    await models.stop()
  })

  it('make room for others when nobody uses them', async () => {
    const { models, done } = pairModels(2)
    for (const pair of [german, french, german, spanish]) {
      const one = using(models, pair)
      await one.begun
      one.end()
      await one.done
    }
    expect(done).to.deep.equal(['open de', 'open fr', 'stop fr', 'open es'])
    await models.stop()
  })

  it('are not opened for who has gone while waiting', async () => {
    const { models, done } = pairModels(1)
    const first = using(models, german)
    await first.begun
    const gone = using(models, french, { signal: AbortSignal.abort(new Error('gone')) })
    expect(await gone.done.catch(String)).to.contain('gone')
    const third = using(models, spanish)
    first.end()
    await third.begun
    expect(done).to.deep.equal(['open de', 'stop de', 'open es'])
    third.end()
    await third.done
    await models.stop()
  })

  it('hold no place in memory where loading fails', async () => {
    const { models, done } = pairModels(1, true)
    for (const pair of [german, french])
      expect(await using(models, pair).done.catch(String)).to.contain('cannot be fetched or loaded')
    expect(done).to.deep.equal(['open de', 'open fr'])
    await models.stop()
  })

  it('end all waiting when they are stopped', async () => {
    const { models } = pairModels(1)
    const first = using(models, german)
    await first.begun
    const second = using(models, french).done.catch(String)
    first.end()
    await models.stop()
    expect(await second).to.be.a('string')
    await first.done
  })
})

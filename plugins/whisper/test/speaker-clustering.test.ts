import { expect } from 'chai'
import fc from 'fast-check'
import { normalised } from '@sallyport/kit/numbers'
import { StepScheduler } from '../src/step-scheduler.js'
import { findSpeakers } from '../src/speakers/find-speakers.js'
import { Linkage } from '../src/speakers/linkage.js'
import { smoothLabels } from '../src/speakers/smooth-labels.js'
import { dot, mean } from '../src/speakers/speaker-embedder.js'
import { atOnce } from './support/at-once.js'
import { numbers, randomArray } from './support/random.js'

/** Vectors around the directions of several speakers, who take turns. */
const voices = (speakers: number, count: number, noise: number, width = 64): Float32Array[] => {
  const next = numbers(speakers)
  const directions = Array.from({ length: speakers }, () => randomArray(width, 1, next))
  return Array.from({ length: count }, (_, index) => {
    const direction = directions[index % speakers] ?? new Float32Array(width)
    return normalised(direction.map((value) => value + (noise / 2) * next()))
  })
}

const groupsOf = (labels: readonly number[]) => new Set(labels).size

describe('clustering', () => {
  /** Ward's method as it is defined: of all pairs, those become one whose middles' distance grows least. */
  const byDefinition = (vectors: readonly Float32Array[], groups: number): string => {
    const found = vectors.map((_, index) => [index])
    const cost = (one: number[], other: number[]) => {
      const [first, second] = [one, other].map((members) => mean(members.map((index) => vectors[index]!)))
      const distance = first!.reduce((sum, value, index) => sum + (value - second![index]!) ** 2, 0)
      return (distance * one.length * other.length) / (one.length + other.length)
    }
    while (found.length > groups) {
      let [best, least] = [[0, 1], Infinity]
      for (let one = 0; one < found.length; one += 1)
        for (let other = one + 1; other < found.length; other += 1) {
          const value = cost(found[one]!, found[other]!)
          if (value < least) [best, least] = [[one, other], value]
        }
      const [second] = found.splice(best[1]!, 1)
      found[best[0]!]!.push(...second!)
    }
    return JSON.stringify(found.map((members) => [...members].sort((a, b) => a - b)).sort())
  }
  const membersOf = (labels: readonly number[]) =>
    JSON.stringify(
      [...new Set(labels)].map((label) => labels.flatMap((other, index) => (other === label ? [index] : []))).sort(),
    )

  it("is Ward's", () =>
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 14 }), fc.integer({ min: 1, max: 6 }), fc.nat(), (count, groups, seed) => {
        const next = numbers(seed)
        const vectors = Array.from({ length: count }, () => randomArray(3, 1, next))
        expect(membersOf(new Linkage(vectors).cut(groups))).to.equal(byDefinition(vectors, Math.min(groups, count)))
      }),
      { numRuns: 200 },
    ))

  it('has as many groups as asked for, numbered as they come, at most one for each vector', () => {
    const linkage = new Linkage(voices(5, 40, 3))
    for (const groups of [1, 2, 7, 40, 99]) {
      const labels = linkage.cut(groups)
      expect(groupsOf(labels)).to.equal(Math.min(groups, 40))
      labels.forEach((label, index) => expect(label).to.be.at.most(Math.max(-1, ...labels.slice(0, index)) + 1))
    }
    expect(new Linkage([]).cut(3)).to.deep.equal([])
  })

  it('of equal vectors ends', () => {
    expect(groupsOf(new Linkage(Array.from({ length: 50 }, () => Float32Array.of(1, 0))).cut(2))).to.equal(2)
  })
})

describe('labels of a sequence', () => {
  const scored = (scores: readonly (readonly number[])[], labels: readonly number[], changeCost: number) =>
    labels.reduce(
      (sum, label, index) => sum + scores[index]![label]! - (index > 0 && labels[index - 1] !== label ? changeCost : 0),
      0,
    )
  /** Only inner runs have a minimum: a recording may cut the first and the last one. */
  const isAllowed = (labels: readonly number[], minRun: number) => {
    const runs: number[] = []
    labels.forEach((label, index) => (label === labels[index - 1] ? (runs[runs.length - 1]! += 1) : runs.push(1)))
    return runs.slice(1, -1).every((length) => length >= minRun)
  }
  const sequences = (length: number, labels: number): number[][] =>
    length === 0
      ? [[]]
      : sequences(length - 1, labels).flatMap((start) =>
          Array.from({ length: labels }, (_, label) => [...start, label]),
        )

  it('are the best that are allowed', () =>
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 3 }).chain((labels) =>
          fc.array(fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: labels, maxLength: labels }), {
            minLength: 1,
            maxLength: 6,
          }),
        ),
        fc.integer({ min: 1, max: 3 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (scores, minRun, changeCost) => {
          const found = smoothLabels(scores, { minRun, changeCost })
          expect(found).to.have.length(scores.length)
          expect(isAllowed(found, minRun), found.join()).to.equal(true)
          const all = sequences(scores.length, scores[0]!.length).filter((labels) => isAllowed(labels, minRun))
          const best = Math.max(...all.map((labels) => scored(scores, labels, changeCost)))
          expect(scored(scores, found, changeCost)).to.be.closeTo(best, 1e-9)
        },
      ),
      { numRuns: 300 },
    ))

  it('of nothing are none', () => expect(smoothLabels([], { minRun: 2, changeCost: 1 })).to.deep.equal([]))
})

describe('the number of speakers', () => {
  /** The centroid that fits best. */
  const nearest = (vector: Float32Array, centroids: readonly Float32Array[]) => {
    const fits = centroids.map((centroid) => dot(vector, centroid))
    return fits.indexOf(Math.max(...fits))
  }
  const heard = (vectors: readonly Float32Array[]) => ({
    embeddings: vectors,
    speakerEmbeddings: (centroids: readonly Float32Array[]) => {
      const labels = vectors.map((vector) => nearest(vector, centroids))
      return centroids.map((_, speaker) => {
        const own = vectors.filter((__, index) => labels[index] === speaker)
        return { embeddings: own, effectiveCount: own.length }
      })
    },
  })
  const options = { sameSpeakerThreshold: { second: 0.75, further: 0.75 } }
  const found = (vectors: readonly Float32Array[]) => findSpeakers(heard(vectors), options, atOnce)

  for (const speakers of [1, 2, 3, 5, 8])
    it(`${speakers} of ${speakers}`, async () => {
      const vectors = voices(speakers, 40 * speakers, 1)
      const centroids = await found(vectors)
      expect(centroids).to.have.length(speakers)
      // each voice has a centroid of its own
      expect(groupsOf(vectors.slice(0, speakers).map((vector) => nearest(vector, centroids)))).to.equal(speakers)
    })

  it('is one for a single vector, and none for none', async () => {
    expect(await found(voices(1, 1, 0))).to.have.length(1)
    expect(await found([])).to.deep.equal([])
  })

  it('few vectors of one voice are not two speakers by chance', async () => {
    for (const seed of [1, 2, 3, 4]) {
      const next = numbers(seed)
      const vectors = Array.from({ length: 6 }, () =>
        normalised(randomArray(64, 0.6, next).map((value) => value + 0.4)),
      )
      expect(await found(vectors), `seed ${seed}`).to.have.length(1)
    }
  })

  it('does not grow by somebody of whom there are two vectors', async () => {
    const [first, second] = [voices(1, 40, 1), voices(3, 6, 1).filter((_, index) => index % 3 === 2)]
    expect(await found([...first, ...second])).to.have.length(1)
    expect(await found([...first, ...second, ...second])).to.have.length(2)
  })

  it('is found in a recording of hours, too', async () => {
    expect(await found(voices(3, 20_000, 1, 16))).to.have.length(3)
  })

  it('is not looked for any more after an abort', async () => {
    const vectors = voices(2, 40, 1)
    const signal = AbortSignal.abort(new Error('enough'))
    const runStep = new StepScheduler().runnerFor('search', { signal, tenant: 'a' })
    const error: unknown = await findSpeakers(heard(vectors), options, runStep).catch((reason: unknown) => reason)
    expect(String(error)).to.equal('Error: enough')
  })
})

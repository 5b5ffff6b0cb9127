import { join } from 'node:path'
import { expect } from 'chai'
import { createKernel } from '@sallyport/kernel'
import { inference, translation } from '@sallyport/core'
import type { Kernel } from '@sallyport/core'
import { runConformance } from '@sallyport/testing'
import onnx from '@sallyport/onnx'
import translationPlugin from '@sallyport/translation'
import { useTemporaryDirectory } from '@sallyport/stand-ins/temporary'
import { config, endId, idOf, marianRepository, padId, pieces } from './support/marian-repository.js'
import type { tinyMarian } from './support/tiny-marian.js'

/** The model's words for a text whose words are pieces. */
const sourceOf = (text: string, prefix: string) => [
  idOf.get(prefix)!,
  ...text.split(' ').map((word) => idOf.get(`▁${word}`)!),
  endId,
]

const textOf = (ids: readonly number[]) =>
  ids
    .map((id) => pieces[id]![0])
    .filter((piece) => !/^<|^>>/.test(piece))
    .join('')
    .replaceAll('▁', ' ')
    .trim()

interface Hypothesis {
  readonly ids: number[]
  readonly score: number
}

/** Beam search as it is written in books: one text, no cache, everything sorted. */
const naiveSearch = (source: readonly number[], next: ReturnType<typeof tinyMarian>['next'], beams: number): string => {
  const longest = Math.min(config.max_position_embeddings - 1, 3 * source.length + 20)
  const value = ({ ids, score }: Hypothesis) => score / ids.length
  let growing: Hypothesis[] = [{ ids: [], score: 0 }]
  let finished: Hypothesis[] = []
  for (let length = 1; length <= longest; length++) {
    const all = growing.flatMap(({ ids, score }) =>
      next(source, [padId, ...ids]).flatMap((probability, id) =>
        id === padId ? [] : [{ ids: [...ids, id], score: score + probability }],
      ),
    )
    const ranked = all.sort((a, b) => b.score - a.score).slice(0, 2 * beams)
    finished.push(...ranked.slice(0, beams).filter(({ ids }) => ids.at(-1) === endId))
    finished = finished.sort((a, b) => value(b) - value(a)).slice(0, beams)
    growing = ranked.filter(({ ids }) => ids.at(-1) !== endId).slice(0, beams)
    if (finished.length === beams && (beams === 1 || value(finished.at(-1)!) >= value(growing[0]!))) break
  }
  return textOf((finished[0] ?? growing[0]!).ids)
}

describe('Marian models from ONNX files', () => {
  const { model, files } = marianRepository(7)
  const texts = ['the old cat sees the house', 'a cat', 'milk', 'the red cat sees a house the old cat sees milk', 'red']
  const { path: folder, write } = useTemporaryDirectory()
  let kernel: Kernel

  before(async function () {
    this.timeout(60_000)
    for (const [name, content] of Object.entries(files)) write(name, content)
    const options = { encoder: 'encoder', decoder: 'decoder', sources: ['en'], targets: ['de', 'fr'], batch: 3 }
    const marian = (more: object) => ({ backend: 'marian', source: folder, options: { ...options, ...more } })
    kernel = await createKernel({
      plugins: [onnx, translationPlugin],
      models: {
        encoder: { backend: 'onnx', source: join(folder, 'onnx/encoder_model.onnx') },
        decoder: { backend: 'onnx', source: join(folder, 'onnx/decoder_model_merged.onnx') },
        'beams-1': marian({ beams: 1 }),
        'beams-3': marian({ beams: 3 }),
      },
    })
  })

  after(() => kernel.stop())

  const translate = async (name: string, text: string, target = 'de') =>
    (await kernel.get(translation, name).translate({ text, source: 'en', target })).candidates[0]?.translation

  it('have graphs that serve tensors', async () => {
    const { inputs } = await kernel.get(inference, 'decoder').signature({})
    expect(inputs.map(({ name }) => name)).to.include.members(['use_cache_branch', 'past_key_values.0.encoder.key'])
  })

  for (const beams of [1, 3])
    for (const [target, prefix] of [
      ['de', '>>deu<<'],
      ['fr', '>>fra<<'],
    ] as const)
      it(`translate to ${target} with ${beams} beam(s), in batches and with a cache, as one text does without`, async () => {
        const expected = texts.map((text) => naiveSearch(sourceOf(text, prefix), model.next, beams))
        expect(new Set(expected).size).to.be.above(1)
        expect(await translate(`beams-${beams}`, texts.join('\n'), target)).to.equal(expected.join('\n'))
      })

  it('find more probable translations with several beams', () => {
    const source = sourceOf(texts[0]!, '>>deu<<')
    const found = [1, 3].map((beams) => naiveSearch(source, model.next, beams))
    expect(found[0]).not.to.equal(found[1])
  })

  it('stop when they are aborted', async () => {
    const abort = new AbortController()
    const request = { text: texts.join('\n'), source: 'en', target: 'de' }
    const running = kernel.get(translation, 'beams-3').translate(request, { signal: abort.signal })
    setTimeout(() => abort.abort(new Error('enough')), 5)
    const error = await running.catch((reason: unknown) => reason as Error)
    expect(error).to.be.an('error').with.property('message', 'enough')
  })

  runConformance(translation, {
    create: () => Promise.resolve(kernel.get(translation, 'beams-1')),
    facts: {
      translations: [
        { text: texts[0]!, source: 'en', target: 'de', expected: '' },
        { text: texts[3]!, source: 'en', target: 'fr', expected: '' },
      ],
    },
  })
})

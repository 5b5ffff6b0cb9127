import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { createKernel } from '@sallyport/kernel'
import { translation } from '@sallyport/core'
import type { ConfigInput, Kernel } from '@sallyport/core'
import { runConformance } from '@sallyport/testing'
import { errorOf, rejection } from '@sallyport/stand-ins/errors'
import { useTemporaryDirectory } from '@sallyport/stand-ins/temporary'
import { PipelinePool } from '../src/apertium/pool.js'
import { modesIn } from '../src/apertium/modes.js'
import { toStreamFormat, fromStreamFormat } from '../src/apertium/stream-format.js'
import plugin from '../src/index.js'

const configured = (options: object = {}): ConfigInput => ({
  plugins: [plugin],
  models: { apertium: { backend: 'apertium', options } },
})

describe('the modes of Apertium', () => {
  it('are pairs of BCP-47 tags, each pair once', () => {
    const listing =
      '  eng-spa\n  eng-spa_US\n  eng-cat_valencia\n  spa-cat_valencia_uni\n  eco-es-fr\n  oci_aran-cat\n\n  no!-x\n'
    expect(modesIn(listing).map(({ name, source, target }) => `${name} ${source} ${target}`)).to.deep.equal([
      'eng-spa en es',
      'eng-spa_US en es-US',
      'eng-cat_valencia en ca-valencia',
      'oci_aran-cat oc-aranes ca',
    ])
  })
})

describe('the stream format of Apertium', () => {
  for (const text of ['a [b] {c} ^d$ e/f @g <h> \\ i.', 'no end', 'What?', 'nothing [', '\\', '5 * 3 ~ 2'])
    it(`gives back ${text}`, () => {
      expect(fromStreamFormat(toStreamFormat(text).replace('\0', ''))).to.equal(text)
    })

  it('has no NUL inside', () => {
    expect(toStreamFormat('a\0b.')).to.equal('ab.[][\n]\0')
  })
})

/** Programs in place of Apertium's: what stands between NULs comes back in capital letters. */
const lister = '#!/bin/sh\necho "  eng-spa"\n'
const pipeline =
  "sed -uz -e /crash/Q3 -e /endless/Q4 -e '/hang/e sleep 611.5' -e '/slow/e sleep 0.7' -e 's/.*/\\U&/' || { [ $? = 4 ] && yes; }"
const stages = `#!/bin/sh\ncat <<'END'\n${pipeline}\nEND\n`

describe('translation by a program', () => {
  const { path: folder } = useTemporaryDirectory()
  const path = join(folder, 'apertium')
  let kernel: Kernel
  before(async () => {
    writeFileSync(path, lister, { mode: 0o755 })
    writeFileSync(`${path}-wblank-mode`, stages, { mode: 0o755 })
    kernel = await createKernel(configured({ program: path, data: folder, pipelines: 2, timeout: 20 }))
  })
  after(() => kernel.stop())

  const translate = async (text: string, options?: { signal: AbortSignal }) =>
    (await kernel.get(translation, 'apertium').translate({ text, source: 'en', target: 'es' }, options)).candidates[0]
      ?.translation

  it('has what stands between NULs come back', async () => {
    expect(await translate('one\ntwo')).to.equal('ONE\nTWO')
    expect(await Promise.all(['a b', 'c', 'd', 'e', 'f'].map((text) => translate(text)))).to.deep.equal([
      ...['A B', 'C', 'D', 'E', 'F'],
    ])
  })

  for (const [name, text] of [
    ['ends before its answer', 'crash'],
    ['writes without an end', 'endless'],
  ] as const)
    it(`fails where the program ${name}, and goes on afterwards`, async () => {
      expect((await errorOf(translate(text))).code).to.equal('model_unavailable')
      expect(await translate('well')).to.equal('WELL')
    })

  it('ends the programs of a text that is given up', async () => {
    const abort = new AbortController()
    const failed = rejection(translate('hang', { signal: abort.signal }))
    const isRunning = () => execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' }).includes('sleep 611.5')
    while (!isRunning()) await new Promise((resolve) => setTimeout(resolve, 10))
    abort.abort(new Error('enough'))
    expect(await failed).to.have.property('message', 'enough')
    expect(await translate('well')).to.equal('WELL')
  })

  it('counts the time of a text from its turn on', async () => {
    const one = await createKernel(configured({ program: path, data: folder, pipelines: 1, timeout: 1.5 }))
    const texts = ['slow a', 'slow b', 'slow c']
    const service = one.get(translation, 'apertium')
    const answers = await Promise.all(texts.map((text) => service.translate({ text, source: 'en', target: 'es' })))
    expect(answers.map(({ candidates }) => candidates[0]?.translation)).to.deep.equal(['SLOW A', 'SLOW B', 'SLOW C'])
    await one.stop()
  })

  it('ends what runs, and refuses what waits, when it is closed', async () => {
    const pool = new PipelinePool({ program: path, pipelines: 1, queue: 1 })
    const { signal } = new AbortController()
    const ask = () =>
      rejection(pool.use('mode', { signal, tenant: 'a' }, (pipeline) => pipeline.translate(['hang'], signal)))
    const [runs, waits, refused] = [ask(), ask(), ask()]
    expect(await refused).to.have.property('code', 'overloaded')
    pool.close()
    expect(await runs).to.have.property('message', 'it was ended')
    expect(await waits).to.have.property('code', 'not_ready')
  })

  it('keeps no pipeline that was at work when it was closed', async () => {
    const pool = new PipelinePool({ program: path, pipelines: 1, queue: 1 })
    const used = await pool.use('mode', { signal: new AbortController().signal, tenant: 'a' }, (pipeline) => {
      pool.close()
      return Promise.resolve(pipeline)
    })
    expect(used.hasEnded).to.equal(true)
  })

  it('is refused where there is no such program', async () => {
    const error = await errorOf(createKernel(configured({ program: join(folder, 'none') })))
    expect(error.code).to.equal('model_invalid')
    expect(error.message).to.include('apt-get install apertium')
  })

  it('has no pairs where the program is missing and may be', async () => {
    const without = await createKernel(configured({ program: join(folder, 'none'), optional: true }))
    expect((await without.get(translation, 'apertium').pairs({})).pairs).to.deep.equal([])
    await without.stop()
  })
})

const isInstalled = (() => {
  try {
    return execFileSync('apertium', ['-l'], { encoding: 'utf8' }).includes('eng-spa')
  } catch {
    return false
  }
})()

;(isInstalled ? describe : describe.skip)('translation by Apertium (needs apertium and apertium-eng-spa)', () => {
  let kernel: Kernel
  before(async () => {
    kernel = await createKernel(configured())
  })
  after(() => kernel.stop())

  it('is good Spanish, with placeholders where they belong', async () => {
    const text = '# The house\n\nThe house of {name} is big. It costs 4711 euros.\n- Good morning'
    const { candidates } = await kernel.get(translation, 'apertium').translate({ text, source: 'en', target: 'es' })
    expect(candidates[0]?.translation).to.match(
      /^# La casa\n\nLa casa de \{name\} es grande.*4711 euros\.\n- Buenos días$/,
    )
  })

  runConformance(translation, {
    create: () => Promise.resolve(kernel.get(translation, 'apertium')),
    facts: {
      translations: [
        { text: 'The house is very big.', source: 'en', target: 'es', expected: 'casa' },
        { text: 'La casa es muy grande.', source: 'es', target: 'en', expected: 'house' },
      ],
    },
  })
})

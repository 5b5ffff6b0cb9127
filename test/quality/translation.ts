/**
 * Measures how good translations are, and what they cost: chrF and milliseconds a sentence, by pair of languages. The
 * sentences are our own, with one reference each: good for comparing engines, and not with figures of others.
 */

import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { createKernel } from '@sallyport/kernel'
import { translation } from '@sallyport/core'
import type { ConfigInput } from '@sallyport/core'
import { chrf } from './chrf.js'

type Row = Readonly<Record<string, string>>

const usage = `node test/dist/quality/translation.js [options]

  --chat SOURCE   translate by this GGUF file (a path, hf:… or an id of the catalogue)
  --apertium      translate by the Apertium of this machine
  --pairs PAIRS   en-de,de-en,… (default: from English, and to English)
  --rows N        only the first sentences`

const { values } = parseArgs({
  options: {
    chat: { type: 'string' },
    apertium: { type: 'boolean', default: false },
    pairs: { type: 'string', default: 'en-de,en-fr,en-es,de-en,fr-en,es-en' },
    rows: { type: 'string', default: '1000' },
  },
})

const chatConfig = (source: string): ConfigInput => ({
  plugins: ['@sallyport/llama-cpp', '@sallyport/translation'],
  models: {
    chat: { backend: 'llama-cpp', source },
    translator: { backend: 'chat-translation', options: { chat: 'chat', languages: ['en', 'de', 'fr', 'es'] } },
  },
})

const config: ConfigInput | undefined =
  values.chat !== undefined
    ? chatConfig(values.chat)
    : values.apertium
      ? { plugins: ['@sallyport/translation'], models: { translator: { backend: 'apertium' } } }
      : undefined

const measure = async (served: ConfigInput): Promise<void> => {
  const all = JSON.parse(readFileSync(new URL('../../quality/translation.json', import.meta.url), 'utf8')) as Row[]
  const rows = all.slice(0, Number(values.rows))
  const kernel = await createKernel(served)
  try {
    const service = kernel.get(translation, 'translator')
    for (const [source = '', target = ''] of values.pairs.split(',').map((pair) => pair.split('-'))) {
      const pairs: { translation: string; reference: string; score: number }[] = []
      const began = performance.now()
      for (const row of rows) {
        const { candidates } = await service.translate({ text: row[source] ?? '', source, target })
        const [best] = candidates
        pairs.push({ translation: best?.translation ?? '', reference: row[target] ?? '', score: best?.score ?? 0 })
      }
      const time = (performance.now() - began) / rows.length
      const low = pairs.filter(({ score }) => score < 0.5).length
      console.log(
        `${source}-${target}: chrF ${chrf(pairs).toFixed(1)}, ${time.toFixed(0)} ms a sentence, ` +
          `${low} of ${pairs.length} below the sanity score of 0.5`,
      )
    }
  } finally {
    await kernel.stop()
  }
}

if (config) await measure(config)
else console.log(usage)

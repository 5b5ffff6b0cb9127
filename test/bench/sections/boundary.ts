/** What the process boundary costs: the same backend in the kernel's process and in a child. */

import { chat } from '@sallyport/core'
import type { ChatCapability, Kernel, Served } from '@sallyport/core'
import { createKernel } from '@sallyport/kernel'
import { figuresOf } from '../figures.js'
import type { Figure } from '../figures.js'
import { differences } from '../statistics.js'
import { alternate } from './alternate.js'
import type { Bench, Section } from './section.js'

const places = ['child', 'in-process'] as const
type Place = (typeof places)[number]

/** Words of the long stream, and streams side by side. */
const words = 4000
const streams = 8

const figure = figuresOf('boundary')

export const boundary: Section = async (bench) => {
  const kernel = await createKernel({
    plugins: [new URL('../boundary/plugin.js', import.meta.url)],
    models: Object.fromEntries(places.map((place) => [place, { backend: place }])),
    log: { level: 'silent' },
  })
  try {
    for (const place of places) await callsOf(kernel, place, 500)
    return [
      ...(await costPer(bench, 'call', async (place) => callsOf(kernel, place, 1000))),
      ...(await costPer(bench, 'chunk', async (place) => chunksOf(kernel, place, 1))),
      ...(await rateOf(bench, kernel)),
    ]
  } finally {
    await kernel.stop()
  }
}

/** @returns microseconds of one call of the sort that is answered in one piece */
const callsOf = async (kernel: Kernel, place: Place, count: number): Promise<number> => {
  const service = kernel.get(chat, place)
  const started = performance.now()
  for (let call = 0; call < count; call += 1) await service.generate({ messages: [{ role: 'user', content: 'hello' }] })
  return ((performance.now() - started) / count) * 1000
}

/** @returns microseconds per chunk of long streams side by side */
const chunksOf = async (kernel: Kernel, place: Place, sideBySide: number): Promise<number> => {
  const service = kernel.get(chat, place)
  const started = performance.now()
  const counts = await Promise.all(Array.from({ length: sideBySide }, () => drain(service)))
  const chunks = counts.reduce((sum, count) => sum + count, 0)
  return ((performance.now() - started) / chunks) * 1000
}

const drain = async (service: Served<ChatCapability>): Promise<number> => {
  let chunks = 0
  const request = { messages: [{ role: 'user' as const, content: 'word '.repeat(words) }] }
  for await (const chunk of service.stream(request)) if ('delta' in chunk) chunks += 1
  return chunks
}

const costPer = async (
  { options, say }: Bench,
  unit: 'call' | 'chunk',
  measure: (place: Place) => Promise<number>,
): Promise<Figure[]> => {
  const measured = await alternate(places, options.rounds, async (place, round) => {
    const cost = await measure(place)
    say(`boundary, round ${round + 1}: ${place} ${cost.toFixed(1)} µs per ${unit}`)
    return cost
  })
  const [child, inProcess] = measured.map(({ values }) => values)
  const { rounds, interval } = differences(child ?? [], inProcess ?? [])
  return [
    ...measured.map(({ subject, values }) => figure(`per-${unit}`, subject, 'µs', values)),
    figure(`per-${unit}`, 'difference', 'µs', rounds, { interval }),
  ]
}

const rateOf = async ({ options, say }: Bench, kernel: Kernel): Promise<Figure[]> => {
  const measured = await alternate(places, options.rounds, async (place, round) => {
    const rate = 1e6 / (await chunksOf(kernel, place, streams))
    say(`boundary, ${streams} streams, round ${round + 1}: ${place} ${rate.toFixed(0)} chunks/s`)
    return rate
  })
  return measured.map(({ subject, values }) =>
    figure('chunk-rate', subject, 'chunks/s', values, { note: `${streams} streams side by side` }),
  )
}

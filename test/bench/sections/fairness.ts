/** What a tenant waits for while another one asks for as much as it can. */

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { chat, createKernel, embedding, extraction, injection, pii, rerank } from '@sallyport/core'
import type { CallOptions, Kernel } from '@sallyport/core'
import { figuresOf } from '../figures.js'
import type { Figure } from '../figures.js'
import { prose } from '../guard/prose.js'
import { median, quantile, ratios } from '../statistics.js'
import { alternate } from './alternate.js'
import type { Section } from './section.js'

/** Requests of the modest tenant in each round. */
const asked = 20
/** Milliseconds in which the greedy one fills the queues. */
const lead = 1000

type Ask = (options: CallOptions) => Promise<unknown>

interface Case {
  readonly name: string
  /** Requests that the greedy tenant keeps under way. */
  readonly many: number
  readonly greedy: Ask
  readonly modest: Ask
}

const figure = figuresOf('fairness')

export const fairness: Section = async ({ options, say }) => {
  const folder = await mkdtemp(join(tmpdir(), 'sallyport-fairness-'))
  const kernel = await createKernel({
    plugins: ['llama-cpp', 'onnx', 'pii', 'guards', 'documents'].map((name) => `@sallyport/${name}`),
    models: {
      'smollm2-135m-instruct': { backend: 'llama-cpp' },
      'all-minilm-l6-v2': { backend: 'onnx' },
      rampart: { backend: 'onnx' },
      guard: { backend: 'onnx' },
      pii: { backend: 'pii', options: { model: 'rampart' } },
      injection: { backend: 'injection', options: { model: 'guard' } },
      documents: { backend: 'documents' },
    },
    log: { level: 'silent' },
  })
  try {
    const figures: Figure[] = []
    for (const one of await casesOf(kernel, folder)) figures.push(...(await measure(one, options.rounds, say)))
    return figures
  } finally {
    await kernel.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

const measure = async (one: Case, rounds: number, say: (line: string) => void): Promise<Figure[]> => {
  await one.modest({ tenant: 'modest' })
  const measured = await alternate(['alone', 'crowded'] as const, rounds, async (subject, round) => {
    const times = subject === 'alone' ? await timesOf(one) : await beside(one, () => timesOf(one))
    say(`fairness, ${one.name}, round ${round + 1}: ${subject} ${median(times).toFixed(0)} ms`)
    return times
  })
  const [alone = [], crowded = []] = measured.map(({ values }) => values)
  const medians = (values: readonly (readonly number[])[]) => values.map(median)
  const tails = (values: readonly (readonly number[])[]) => values.map((times) => quantile(times, 0.99))
  const compared = ratios(tails(crowded), medians(alone))
  const note = `${asked} requests one after the other, the other tenant ${one.many} side by side`
  return [
    figure(`${one.name}-median`, 'alone', 'ms', medians(alone), { note }),
    figure(`${one.name}-median`, 'crowded', 'ms', medians(crowded), { note }),
    figure(`${one.name}-p99`, 'crowded', 'ms', tails(crowded), { note }),
    figure(`${one.name}-p99`, 'ratio', 'ratio', compared.rounds, {
      interval: compared.interval,
      note: 'p99 beside the other tenant over the median alone',
    }),
  ]
}

const timesOf = async ({ modest }: Case): Promise<number[]> => {
  const times: number[] = []
  while (times.length < asked) {
    const started = performance.now()
    await modest({ tenant: 'modest' })
    times.push(performance.now() - started)
  }
  return times
}

const beside = async <Result>({ greedy, many }: Case, work: () => Promise<Result>): Promise<Result> => {
  const gone = new AbortController()
  const lane = async () => {
    while (!gone.signal.aborted) await greedy({ tenant: 'greedy', signal: gone.signal }).catch(() => undefined)
  }
  const lanes = Array.from({ length: many }, lane)
  try {
    await sleep(lead)
    return await work()
  } finally {
    gone.abort(new Error('the measurement is over'))
    await Promise.all(lanes)
  }
}

const casesOf = async (kernel: Kernel, folder: string): Promise<Case[]> => {
  const ask = (content: string, maxTokens: number) => {
    const messages = [{ role: 'user' as const, content }]
    return (options: CallOptions) =>
      kernel.get(chat, 'smollm2-135m-instruct').generate({ messages, maxTokens, temperature: 0 }, options)
  }
  const paragraph = prose(1000)[0] ?? ''
  const [long, page] = [paragraph.repeat(8), paragraph.repeat(20)]
  const modestChat = ask('Name three colours.', 16)
  const embed = (texts: readonly string[]) => (options: CallOptions) =>
    kernel.get(embedding, 'all-minilm-l6-v2').embed({ inputs: texts.map((text) => ({ text })) }, options)
  const ranked = (documents: readonly string[]) => (options: CallOptions) =>
    kernel.get(rerank, 'all-minilm-l6-v2').rerank({ query: 'What is a sea?', documents: [...documents] }, options)
  const attacks = (text: string) => (options: CallOptions) =>
    kernel.get(injection, 'injection').inspect({ text }, options)
  const persons = (text: string) => (options: CallOptions) => kernel.get(pii, 'pii').inspect({ text }, options)
  const extract = async (name: string, text: string) => {
    const file = join(folder, name)
    await writeFile(file, text)
    return (options: CallOptions) =>
      kernel.get(extraction, 'documents').extract({ file, fileName: name, format: 'markdown' }, options)
  }
  const table = `<table>${'<tr><td>one</td><td>two</td><td>three</td></tr>'.repeat(40_000)}</table>`
  return [
    { name: 'chats', many: 40, greedy: ask('Tell me a story of a fox.', 64), modest: modestChat },
    { name: 'long-answers', many: 12, greedy: ask('Tell me a long story.', 2000), modest: modestChat },
    { name: 'long-prompts', many: 12, greedy: ask(long, 16), modest: modestChat },
    { name: 'embeddings', many: 12, greedy: embed(new Array<string>(256).fill(paragraph)), modest: embed(['A sea.']) },
    { name: 'short-texts', many: 64, greedy: embed([paragraph]), modest: embed(['A sea.']) },
    {
      name: 'rerank',
      many: 12,
      greedy: ranked(new Array<string>(200).fill(paragraph)),
      modest: ranked(['A sea.', 'No.']),
    },
    { name: 'injection', many: 12, greedy: attacks(page), modest: attacks('What is a sea?') },
    { name: 'names', many: 12, greedy: persons(page), modest: persons('I am Anna Smith of Paris.') },
    {
      name: 'documents',
      many: 6,
      greedy: await extract('large.html', `<!doctype html><html><body>${table}</body></html>`),
      modest: await extract('small.html', '<!doctype html><html><body><p>One line.</p></body></html>'),
    },
  ]
}

/** What a tenant waits for while another one asks for as much as it can. */

import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { chat, embedding, extraction, rerank, transcription, translation } from '@sallyport/core'
import type { CallOptions, Kernel } from '@sallyport/core'
import { injection, pii } from '@sallyport/checks'
import { createKernel } from '@sallyport/kernel'
import { ModelStore } from '@sallyport/store'
import { repository } from '../../support/repository.js'
import { figuresOf } from '../figures.js'
import type { Figure } from '../figures.js'
import { prose } from '../guard/prose.js'
import { median, quantile, ratios } from '../statistics.js'
import { alternate } from './alternate.js'
import type { Section } from './section.js'

/** Requests of the modest tenant in each round, and those that tell how long a step takes. */
const asked = 20
const steps = 5
/** Milliseconds in which the greedy one fills the queues. */
const lead = 1000

type Ask = (options: CallOptions) => Promise<unknown>

interface Case {
  readonly name: string
  /** Requests that the greedy tenant keeps under way. */
  readonly many: number
  readonly greedy: Ask
  readonly modest: Ask
  /** What is not interrupted of the greedy tenant's work, asked for alone; where it has a process of its own, none. */
  readonly step?: Ask
}

const figure = figuresOf('fairness')

export const fairness: Section = async ({ options, say }) => {
  const folder = await mkdtemp(join(tmpdir(), 'sallyport-fairness-'))
  const kernel = await createKernel({
    plugins: ['llama-cpp', 'onnx', 'pii', 'guards', 'documents', 'whisper', 'translation'].map(
      (name) => `@sallyport/${name}`,
    ),
    models: {
      'smollm2-135m-instruct': { backend: 'llama-cpp' },
      'all-minilm-l6-v2': { backend: 'onnx' },
      rampart: { backend: 'onnx' },
      guard: { backend: 'onnx' },
      pii: { backend: 'pii', options: { model: 'rampart' } },
      injection: { backend: 'injection', options: { model: 'guard' } },
      documents: { backend: 'documents' },
      'whisper-tiny.en': { backend: 'whisper' },
      apertium: { backend: 'apertium' },
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
  const { step } = one
  const modest = () => one.modest({ tenant: 'modest' })
  await modest()
  const stepTime = step ? median(await timesOf(() => step({ tenant: 'greedy' }), steps)) : 0
  const measured = await alternate(['alone', 'crowded'] as const, rounds, async (subject, round) => {
    const times = subject === 'alone' ? await timesOf(modest, asked) : await beside(one, () => timesOf(modest, asked))
    say(`fairness, ${one.name}, round ${round + 1}: ${subject} ${median(times).toFixed(0)} ms`)
    return times
  })
  const [alone = [], crowded = []] = measured.map(({ values }) => values)
  const medians = (values: readonly (readonly number[])[]) => values.map(median)
  const tails = (values: readonly (readonly number[])[]) => values.map((times) => quantile(times, 0.99))
  const compared = ratios(
    tails(crowded).map((time) => time - stepTime),
    medians(alone),
  )
  const note = `${asked} requests one after the other, the other tenant ${one.many} side by side`
  return [
    figure(`${one.name}-median`, 'alone', 'ms', medians(alone), { note }),
    figure(`${one.name}-median`, 'crowded', 'ms', medians(crowded), { note }),
    figure(`${one.name}-p99`, 'crowded', 'ms', tails(crowded), { note }),
    figure(`${one.name}-p99`, 'ratio', 'ratio', compared.rounds, {
      interval: compared.interval,
      note: `p99 beside the other tenant, less a step of ${stepTime.toFixed(0)} ms, over the median alone`,
    }),
  ]
}

const timesOf = async (ask: () => Promise<unknown>, count: number): Promise<number[]> => {
  const times: number[] = []
  while (times.length < count) {
    const started = performance.now()
    await ask()
    times.push(performance.now() - started)
  }
  return times
}

/** The first request of the modest tenant is not measured: a process may have to be started for it. */
const beside = async <Result>({ greedy, modest, many }: Case, work: () => Promise<Result>): Promise<Result> => {
  const gone = new AbortController()
  const lane = async () => {
    while (!gone.signal.aborted)
      await greedy({ tenant: 'greedy', signal: gone.signal }).catch((error: unknown) => {
        if (!gone.signal.aborted) throw error
      })
  }
  const lanes = Array.from({ length: many }, lane)
  try {
    await sleep(lead)
    await modest({ tenant: 'modest' })
    return await work()
  } finally {
    gone.abort(new Error('the measurement is over'))
    await Promise.all(lanes)
  }
}

const casesOf = async (kernel: Kernel, folder: string): Promise<Case[]> => {
  let asked = 0
  // no two prompts begin alike, as those that do are not evaluated twice
  const ask = (content: string, maxTokens: number) => (options: CallOptions) => {
    const messages = [{ role: 'user' as const, content: `${(asked += 1)}. ${content}` }]
    return kernel.get(chat, 'smollm2-135m-instruct').generate({ messages, maxTokens, temperature: 0 }, options)
  }
  const paragraph = prose(800)[0] ?? ''
  const [long, page] = [paragraph.repeat(10), paragraph.repeat(25)]
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
  const call = await telephoneCall()
  const transcribe = async (name: string, sound: Buffer) => {
    const file = join(folder, name)
    await writeFile(file, sound)
    return async (options: CallOptions) => {
      const heard = kernel.get(transcription, 'whisper-tiny.en').stream({ file }, options)
      let seconds = 0
      for await (const piece of heard) if ('segment' in piece) seconds = piece.segment.end
      return seconds
    }
  }
  const translate = (text: string) => (options: CallOptions) =>
    kernel.get(translation, 'apertium').translate({ text, source: 'en', target: 'es' }, options)
  const greedyChat = ask('Tell me a story of a fox.', 64)
  const chatStep = ask('Tell me a story of a fox.', 1)
  const fewTexts = new Array<string>(4).fill(paragraph)
  return [
    { name: 'chats', many: 40, greedy: greedyChat, modest: modestChat, step: chatStep },
    {
      name: 'long-answers',
      many: 12,
      greedy: ask('Tell me a long story.', 2000),
      modest: modestChat,
      step: chatStep,
    },
    { name: 'long-prompts', many: 12, greedy: ask(long, 16), modest: modestChat, step: chatStep },
    {
      name: 'embeddings',
      many: 12,
      greedy: embed(new Array<string>(256).fill(paragraph)),
      modest: embed(['A sea.']),
      step: embed(fewTexts),
    },
    { name: 'short-texts', many: 64, greedy: embed([paragraph]), modest: embed(['A sea.']), step: embed(fewTexts) },
    {
      name: 'rerank',
      many: 12,
      greedy: ranked(new Array<string>(200).fill(paragraph)),
      modest: ranked(['A sea.', 'No.']),
      step: ranked(fewTexts),
    },
    {
      name: 'injection',
      many: 12,
      greedy: attacks(page),
      modest: attacks('What is a sea?'),
      step: attacks(paragraph),
    },
    {
      name: 'names',
      many: 12,
      greedy: persons(page),
      modest: persons('I am Anna Smith of Paris.'),
      step: persons(paragraph.repeat(4)),
    },
    {
      name: 'documents',
      many: 6,
      greedy: await extract('large.html', `<!doctype html><html><body>${table}</body></html>`),
      modest: await extract('small.html', '<!doctype html><html><body><p>One line.</p></body></html>'),
    },
    {
      name: 'transcription',
      many: 6,
      greedy: await transcribe('long.wav', call),
      modest: await transcribe('short.wav', cutOf(call, 8, 11)),
      step: await transcribe('window.wav', call),
    },
    { name: 'translation', many: 12, greedy: translate(paragraph.repeat(100)), modest: translate('A sea.') },
  ]
}

/** A wave file with the seconds of another one, of one channel of 16,000 samples of 16 bits per second. */
const cutOf = (wave: Buffer, from: number, to: number): Buffer => {
  const samples = wave.indexOf('data') + 8
  const at = (second: number) => samples + second * 32_000
  return Buffer.concat([wave.subarray(0, samples), wave.subarray(at(from), at(to))])
}

/** Half a minute of speech. */
const telephoneCall = async (): Promise<Buffer> => {
  const catalogues = [join(repository, 'plugins/whisper/test/fixtures/recordings.yaml')]
  const { files } = await new ModelStore({ catalogues }).resolve('telephone-call', {
    signal: new AbortController().signal,
  })
  return readFile(files.model ?? '')
}

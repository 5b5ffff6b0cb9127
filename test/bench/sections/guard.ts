/** What guarding costs: a streamed answer behind each policy beside the same answer without one. */

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { figuresOf } from '../figures.js'
import type { Figure } from '../figures.js'
import { chatConfig } from '../guard/chat-config.js'
import type { GuardName } from '../guard/chat-config.js'
import { sentencesBy, timedText } from '../guard/timed-text.js'
import type { TimedText } from '../guard/timed-text.js'
import { shortPrompt } from '../prompts.js'
import type { BenchModel } from '../servers/contender.js'
import { freePort, launch, whileRunning } from '../servers/launch.js'
import { sallyportCommand } from '../servers/sallyport.js'
import { ratios } from '../statistics.js'
import { alternate } from './alternate.js'
import { detectorCosts } from './guard-detectors.js'
import type { Bench, Section } from './section.js'

const tokens = 256

/** In servers of their own: a server has one detector of personal information. */
const contests: readonly { readonly names: boolean; readonly guards: readonly GuardName[] }[] = [
  { names: false, guards: ['pii-patterns', 'toxicity', 'injection'] },
  { names: true, guards: ['pii-model', 'all'] },
]

export const guard: Section = async (bench) => {
  const figures: Figure[] = []
  for (const model of bench.models)
    for (const { names, guards } of contests) figures.push(...(await streams(bench, model, guards, names)))
  return [...figures, ...(await detectorCosts(bench))]
}

const streams = async (
  bench: Bench,
  model: BenchModel,
  guards: readonly GuardName[],
  names: boolean,
): Promise<Figure[]> => {
  const directory = await mkdtemp(join(tmpdir(), 'sallyport-bench-'))
  const config = join(directory, 'sallyport.json')
  const port = await freePort()
  const subjects: GuardName[] = ['unguarded', ...guards]
  await writeFile(config, JSON.stringify(chatConfig(port, model.source, subjects, names)))
  const url = `http://127.0.0.1:${port}`
  const args = [sallyportCommand, 'serve', '--config', config]
  const server = await launch({ command: process.execPath, args, url, readyPath: '/readyz' })
  try {
    return await whileRunning([server], () => compareStreams(bench, model, url, subjects))
  } finally {
    await server.stop()
    await rm(directory, { recursive: true })
  }
}

const compareStreams = async (
  { options: { rounds }, say }: Bench,
  model: BenchModel,
  url: string,
  subjects: readonly GuardName[],
): Promise<Figure[]> => {
  for (const subject of subjects) await timedText(url, subject, shortPrompt(), 64)
  const prompts = Array.from({ length: rounds }, () => shortPrompt())
  const measured = await alternate(subjects, rounds, async (subject, round) => {
    const answer = await timedText(url, subject, prompts[round] ?? shortPrompt(), tokens)
    say(
      `${model.id}, round ${round + 1}: ${subject} ${answer.time.toFixed(0)} ms, first text ${firstText(answer).toFixed(0)} ms`,
    )
    return answer
  })
  const unguarded = measured.find(({ subject }) => subject === 'unguarded')?.values ?? []
  return measured
    .filter(({ subject }) => subject !== 'unguarded')
    .flatMap(({ subject, values }) => figuresOfGuard(model.id, subject, values, unguarded))
}

const firstText = ({ pieces }: TimedText): number => pieces[0]?.at ?? NaN

const figuresOfGuard = (
  model: string,
  name: GuardName,
  guarded: readonly TimedText[],
  unguarded: readonly TimedText[],
): Figure[] => {
  const figure = figuresOf('guard', model)
  const times = (answers: readonly TimedText[]) => answers.map(({ time }) => time)
  const { rounds, interval } = ratios(times(guarded), times(unguarded))
  const behind = guarded.map((answer, round) => {
    const beside = unguarded[round]
    return beside ? sentencesBy(beside, firstText(answer)) : NaN
  })
  const note = `threads 1, ${guarded.map((answer) => answer.tokens).join(', ')} tokens`
  return [
    figure(`stream-${tokens}-${name}`, 'guarded', 'ms', times(guarded), { note }),
    figure(`stream-${tokens}-${name}`, 'unguarded', 'ms', times(unguarded), { note }),
    figure(`stream-${tokens}-${name}`, 'ratio', 'ratio', rounds, { interval }),
    figure(`first-text-${name}`, 'guarded', 'ms', guarded.map(firstText)),
    figure(`first-text-${name}`, 'unguarded', 'ms', unguarded.map(firstText)),
    figure(`sentences-behind-${name}`, 'guarded', 'sentences', behind),
  ]
}

/** Measures, prints, saves. */

import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { summariseFigure } from './figures.js'
import type { Figure, SectionName } from './figures.js'
import { resolveModel } from './models.js'
import { parseOptions, usage } from './options.js'
import type { BenchOptions } from './options.js'
import { describeMachine, load } from './report/machine.js'
import { renderFigures, renderVerdicts } from './report/render.js'
import { judge } from './report/verdicts.js'
import { abort } from './sections/abort.js'
import { adapter } from './sections/adapter.js'
import { boundary } from './sections/boundary.js'
import { fairness } from './sections/fairness.js'
import { embedding } from './sections/embedding.js'
import { generation } from './sections/generation.js'
import { guard } from './sections/guard.js'
import { guardedStreams } from './sections/guarded-streams.js'
import { longPrompts } from './sections/long-prompts.js'
import { memory } from './sections/memory.js'
import { structured } from './sections/structured.js'
import type { Bench, Section } from './sections/section.js'
import { toolCalls } from './sections/tools.js'
import { findLlamaServer, llamaServer } from './servers/llama-server.js'
import { sallyport } from './servers/sallyport.js'
import { targets } from './targets.js'

const sections: Readonly<Record<SectionName, Section>> = {
  ...{ generation, abort, adapter, boundary, memory, embedding, guard, structured },
  'guarded-streams': guardedStreams,
  'long-prompts': longPrompts,
  tools: toolCalls,
  fairness,
}

/** These start servers of chat models. */
const withModels: readonly SectionName[] = ['generation', 'abort', 'memory', 'guard', 'structured']

interface Failure {
  readonly section: SectionName
  readonly error: string
}

const run = async (options: BenchOptions): Promise<void> => {
  const say = (line: string) => console.error(`  ${line}`)
  const started = new Date()
  const peer = findLlamaServer(options.llamaServer)
  const machine = { ...describeMachine(peer), loadBefore: load() }
  console.log(`${machine.cpu}, cores ${machine.cores}, node ${machine.node}, load ${machine.loadBefore.toFixed(2)}`)
  if (peer === undefined) console.log('no llama-server on the PATH and none given by --llama-server: no comparison')
  const needsModels = options.only.some((section) => withModels.includes(section))
  const models = needsModels ? options.models.map(resolveModel) : []
  const contenders = peer === undefined ? [sallyport] : [sallyport, llamaServer(peer)]

  const { figures, failures } = await measure(options.only, { options, models, contenders, say })
  const summarised = figures.map(summariseFigure)
  const verdicts = judge(summarised, targets, models)
  console.log(`\n${renderFigures(summarised)}\n`)
  if (verdicts.length > 0) console.log(`${renderVerdicts(verdicts)}\n`)
  const report = {
    started: started.toISOString(),
    machine: { ...machine, loadAfter: load() },
    options,
    models: models.map(({ id, bytes }) => ({ id, bytes })),
    figures: summarised,
    verdicts,
    failures,
  }
  const file = resolve(options.output)
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, `${JSON.stringify(report, undefined, 2)}\n`)
  console.log(`saved: ${file}`)
  for (const { section, error } of failures) console.error(`\n${section} failed: ${error}`)
  if (failures.length > 0) process.exitCode = 1
}

/** A section that fails does not take the figures of the others with it. */
const measure = async (names: readonly SectionName[], bench: Bench) => {
  const figures: Figure[] = []
  const failures: Failure[] = []
  for (const name of names) {
    bench.say(name)
    try {
      figures.push(...(await sections[name](bench)))
    } catch (error) {
      failures.push({ section: name, error: error instanceof Error ? (error.stack ?? error.message) : String(error) })
    }
  }
  return { figures, failures }
}

// so that the servers end, too
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1))

try {
  const options = parseOptions(process.argv.slice(2))
  if (options) await run(options)
  else console.log(usage)
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}

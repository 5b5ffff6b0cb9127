import { readFileSync, readdirSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { createKernel } from '@sallyport/kernel'
import type { Kernel } from '@sallyport/core'

const plugin = new URL('../../src/index.js', import.meta.url)

/** A kernel with models from these files, each in a process of its own. */
export const kernelOf = (files: Readonly<Record<string, string>>, options: object = {}): Promise<Kernel> =>
  createKernel(
    {
      plugins: [plugin],
      models: Object.fromEntries(Object.keys(files).map((id) => [id, { backend: 'llama-cpp', source: id, options }])),
    },
    { fileSource: { resolve: (id) => Promise.resolve({ files: { model: files[id] ?? '' } }) } },
  )

/** The process of a model of this process, by the title that the runner gives it. Linux only. */
export const processOf = (model: string): number => {
  const tasks = readdirSync('/proc/self/task')
  const children = tasks.flatMap((task) => readFileSync(`/proc/self/task/${task}/children`, 'utf8').trim().split(' '))
  const found = children.find((id) => id !== '' && titleOf(id) === `sallyport: ${model}`)
  if (found === undefined) throw new Error(`no process is called "sallyport: ${model}"`)
  return Number(found)
}

/** A title is padded with NUL to the length of the command line that it replaces. */
const titleOf = (id: string): string => readFileSync(`/proc/${id}/cmdline`, 'utf8').replaceAll('\0', '').trim()

/** Waits for a condition, and fails the test where it does not come true. */
export const until = async (condition: () => boolean, milliseconds: number): Promise<void> => {
  const started = performance.now()
  while (!condition()) {
    if (performance.now() - started > milliseconds) throw new Error(`not within ${milliseconds} ms`)
    await delay(20)
  }
}

import { readFileSync, readdirSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { createKernel } from '@sallyport/core'
import type { Kernel } from '@sallyport/core'

const plugin = new URL('../../src/index.js', import.meta.url)

/** A kernel with models from these files, each in a process of its own. */
export const kernelOf = (files: Readonly<Record<string, string>>, options: object = {}): Promise<Kernel> =>
  createKernel(
    {
      plugins: [plugin],
      models: Object.fromEntries(Object.keys(files).map((id) => [id, { backend: 'llama-cpp', source: id, options }])),
    },
    { files: { resolve: (id) => Promise.resolve({ files: { model: files[id] ?? '' } }) } },
  )

/** Process ids of the models' processes of this process. Linux only. */
export const childProcesses = (): number[] => {
  const tasks = readdirSync('/proc/self/task')
  const children = tasks.flatMap((task) => readFileSync(`/proc/self/task/${task}/children`, 'utf8').trim().split(' '))
  return children.filter((id) => id !== '').map(Number)
}

/** Waits for a condition, and fails the test where it does not come true. */
export const until = async (condition: () => boolean, milliseconds: number): Promise<void> => {
  const started = performance.now()
  while (!condition()) {
    if (performance.now() - started > milliseconds) throw new Error(`not within ${milliseconds} ms`)
    await delay(20)
  }
}

/** Work of threads, for tests. */

import { setTimeout as sleep } from 'node:timers/promises'
import { failure } from '../../src/index.js'
import type { ThreadModule } from '../../src/index.js'

export type Asked =
  | { readonly echo: unknown }
  | { readonly wait: number }
  | { readonly end: 'spin' | 'fill' | 'exit' | 'throw' | 'refuse' | 'hang' }

const endless: Readonly<Record<'spin' | 'fill' | 'exit' | 'throw' | 'refuse', () => never>> = {
  spin: () => {
    for (;;);
  },
  fill: () => {
    for (const kept: number[][] = []; ;) kept.push(Array.from({ length: 1000 }, (_, at) => at))
  },
  exit: () => process.exit(1),
  throw: () => {
    throw new RangeError('a mistake')
  },
  refuse: () => {
    throw failure('safeguard_unavailable', { problem: 'too much' })
  },
}

let made = 0

/** Answers with the setup, and how often one was made in the thread. */
const module: ThreadModule<unknown, Asked, unknown> = (setup) => {
  made += 1
  return async (asked, { signal }) => {
    if ('echo' in asked) return { echo: asked.echo, setup, made }
    if ('wait' in asked) return sleep(asked.wait, 'waited', { signal })
    return asked.end === 'hang' ? sleep(2 ** 30, undefined, { signal }) : endless[asked.end]()
  }
}

export default module

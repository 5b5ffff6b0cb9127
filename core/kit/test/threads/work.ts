/** Work of threads, for tests. */

import { setTimeout as sleep } from 'node:timers/promises'
import { threadId } from 'node:worker_threads'
import { failure } from '@sallyport/core'
import type { ThreadModule } from '../../src/threads/protocol.js'

export type Asked =
  | { readonly echo: unknown }
  | { readonly wait: number }
  | { readonly keep: number }
  | { readonly env: true }
  | { readonly end: 'spin' | 'fill' | 'exit' | 'throw' | 'refuse' | 'hang' }

const kept: number[][] = []

/** Fills 8 kB of the thread for good. */
const keep = () => void kept.push(Array.from({ length: 1000 }, (_, at) => at))

const endless: Readonly<Record<'spin' | 'fill' | 'exit' | 'throw' | 'refuse', () => never>> = {
  spin: () => {
    for (;;);
  },
  fill: () => {
    for (;;) keep()
  },
  exit: () => process.exit(1),
  throw: () => {
    throw new RangeError('a mistake')
  },
  refuse: () => {
    throw failure('safeguard_unavailable', { problem: 'too much' })
  },
}

/** Setups that take that many milliseconds of work, or fail the first time. */
export type Setup = { readonly slow: number } | 'fails at first' | (string & {}) | number

const spin = (milliseconds: number) => {
  for (const end = performance.now() + milliseconds; performance.now() < end;);
}

let [made, tried] = [0, 0]

/** Answers with the setup, how often one was made in the thread, and which thread that is. */
const module: ThreadModule<Setup, Asked, unknown> = (setup) => {
  if (setup === 'fails at first' && tried++ === 0) throw new RangeError('not yet')
  if (typeof setup === 'object') spin(setup.slow)
  made += 1
  return async (asked, { signal }) => {
    if ('echo' in asked) return { echo: asked.echo, setup, made }
    if ('env' in asked) return { env: { ...process.env }, threadId }
    if ('keep' in asked) {
      for (let count = 0; count < asked.keep; count += 1) keep()
      return { threadId }
    }
    if ('wait' in asked) return sleep(asked.wait, 'waited', { signal })
    return asked.end === 'hang' ? sleep(2 ** 30, undefined, { signal }) : endless[asked.end]()
  }
}

export default module

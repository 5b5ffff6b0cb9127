/** Calls of tools side by side, to the reference server of the protocol's authors in a child process. */

import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { createKernel } from '@sallyport/kernel'
import { tools } from '@sallyport/core'
import { figuresOf } from '../figures.js'
import type { Figure } from '../figures.js'
import { differences } from '../statistics.js'
import { alternate } from './alternate.js'
import type { Section } from './section.js'

const sideBySide = 100
const label = 'everything'

const require = createRequire(import.meta.url)
const program = join(dirname(require.resolve('@modelcontextprotocol/server-everything/package.json')), 'dist/index.js')
const server = { command: process.execPath, args: [program, 'stdio'] }

type Echo = (message: string) => Promise<unknown>

const figure = figuresOf('tools')

export const toolCalls: Section = async ({ options, say }) => {
  const mcp = { servers: { [label]: { ...server, parallel: sideBySide, pin: false } } }
  const kernel = await createKernel({ plugins: ['@sallyport/mcp'], mcp, log: { level: 'silent' } })
  const client = new Client({ name: 'bench', version: '1' })
  try {
    await client.connect(new StdioClientTransport({ ...server, stderr: 'ignore' }))
    const served = kernel.get(tools, 'mcp')
    const echoes = {
      sallyport: (message: string) => served.call({ server: label, name: 'echo', arguments: { message } }),
      'bare-client': (message: string) => client.callTool({ name: 'echo', arguments: { message } }),
    }
    const subjects = ['sallyport', 'bare-client'] as const
    for (const subject of subjects) await callsOf(echoes[subject])
    const measured = await alternate(subjects, options.rounds, async (subject, round) => {
      const time = await callsOf(echoes[subject])
      say(`tools, ${sideBySide} calls, round ${round + 1}: ${subject} ${time.toFixed(0)} ms`)
      return time
    })
    return figuresFor(measured)
  } finally {
    await client.close()
    await kernel.stop()
  }
}

/** @returns milliseconds until all have their answer */
const callsOf = async (echo: Echo): Promise<number> => {
  const started = performance.now()
  await Promise.all(Array.from({ length: sideBySide }, (_, index) => echo(`call ${index}`)))
  return performance.now() - started
}

const figuresFor = (
  measured: readonly { subject: 'sallyport' | 'bare-client'; values: readonly number[] }[],
): Figure[] => {
  const note = `${sideBySide} calls side by side`
  const [own, bare] = measured.map(({ values }) => values)
  const { rounds, interval } = differences(own ?? [], bare ?? [])
  return [
    ...measured.map(({ subject, values }) => figure('calls', subject, 'ms', values, { note })),
    figure('calls', 'difference', 'ms', rounds, { interval, note }),
  ]
}

/** Kernels with the plugin, each with a home of its own. */

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createKernel } from '@sallyport/kernel'
import { tools } from '@sallyport/core'
import type { Kernel, Served, ToolsCapability } from '@sallyport/core'
import { recordingLogger } from '@sallyport/testing'
import plugin from '../../src/index.js'

/** Keeps what a kernel logs. */
export const logBook = () => {
  const { logger, lines } = recordingLogger()
  return { logger, lines, text: () => JSON.stringify(lines) }
}

export interface Running {
  readonly kernel: Kernel
  readonly tools: Served<ToolsCapability>
  readonly log: ReturnType<typeof logBook>
  readonly home: string
}

const ends: (() => Promise<unknown>)[] = []

/** Stops what the other functions here, and stand-ins, have started. */
export const stopAll = async (): Promise<void> => {
  for (const end of ends.splice(0).reverse()) await end()
}

export const atEnd = (end: () => Promise<unknown>): void => void ends.push(end)

export const newHome = async (): Promise<string> => {
  const home = await mkdtemp(join(tmpdir(), 'mcp-'))
  atEnd(() => rm(home, { recursive: true, force: true }))
  return home
}

/** @param mcp the plugin's section of the configuration */
export const startKernel = async (mcp: object, home?: string, baseDirectory?: string): Promise<Running> => {
  const [log, before] = [logBook(), process.env['SALLYPORT_HOME']]
  process.env['SALLYPORT_HOME'] = home ??= await newHome()
  try {
    const environment = { logger: log.logger, ...(baseDirectory !== undefined && { baseDirectory }) }
    const kernel = await createKernel({ plugins: [plugin], mcp }, environment)
    atEnd(() => kernel.stop())
    return { kernel, tools: kernel.get(tools, 'mcp'), log, home }
  } finally {
    if (before === undefined) delete process.env['SALLYPORT_HOME']
    else process.env['SALLYPORT_HOME'] = before
  }
}

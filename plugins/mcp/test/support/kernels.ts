/** Kernels with the plugin, each with a home of its own. */

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createKernel } from '@sallyport/kernel'
import { isSallyportError, tools } from '@sallyport/core'
import type { Kernel, Logger, Served, ToolsCapability } from '@sallyport/core'
import { expect } from 'chai'
import plugin from '../../src/index.js'

export interface Line {
  readonly level: string
  readonly fields: Readonly<Record<string, unknown>>
  readonly message: string
}

/** What a kernel has logged. */
export class LogBook {
  readonly lines: Line[] = []

  get text(): string {
    return JSON.stringify(this.lines)
  }

  logger(context: object = {}): Logger {
    const at = (level: string) => (fields: object, message: string) => {
      this.lines.push({ level, fields: { ...context, ...fields }, message })
    }
    const child = (fields: object) => this.logger({ ...context, ...fields })
    return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error'), child }
  }
}

export interface Running {
  readonly kernel: Kernel
  readonly tools: Served<ToolsCapability>
  readonly log: LogBook
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
  const [log, before] = [new LogBook(), process.env['SALLYPORT_HOME']]
  process.env['SALLYPORT_HOME'] = home ??= await newHome()
  try {
    const environment = { logger: log.logger(), ...(baseDirectory !== undefined && { baseDirectory }) }
    const kernel = await createKernel({ plugins: [plugin], mcp }, environment)
    atEnd(() => kernel.stop())
    return { kernel, tools: kernel.get(tools, 'mcp'), log, home }
  } finally {
    if (before === undefined) delete process.env['SALLYPORT_HOME']
    else process.env['SALLYPORT_HOME'] = before
  }
}

export const failureOf = async (work: Promise<unknown>, code: string) => {
  const error: unknown = await work.then(
    () => expect.fail('it did not fail'),
    (reason: unknown) => reason,
  )
  if (!isSallyportError(error)) throw error
  expect(error.code, error.message).to.equal(code)
  return error
}

export const until = async (condition: () => boolean | Promise<boolean>, milliseconds = 30_000): Promise<void> => {
  const end = Date.now() + milliseconds
  while (!(await condition())) {
    if (Date.now() > end) expect.fail('it did not happen in time')
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

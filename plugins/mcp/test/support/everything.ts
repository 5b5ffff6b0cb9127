/** The reference server of the protocol's authors, over each transport. */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { atEnd } from './kernels.js'

const require = createRequire(import.meta.url)
const program = join(dirname(require.resolve('@modelcontextprotocol/server-everything/package.json')), 'dist/index.js')

export const everythingOverStdio = { command: process.execPath, args: [program, 'stdio'] }

export interface EverythingOverHttp {
  readonly url: string
  readonly port: number
  readonly kill: () => Promise<void>
}

export const startEverything = async (kind: 'streamableHttp' | 'sse', port?: number): Promise<EverythingOverHttp> => {
  port ??= await freePort()
  const child = spawn(process.execPath, [program, kind], {
    env: { PORT: String(port) },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const kill = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const gone = once(child, 'exit')
    child.kill('SIGKILL')
    await gone
  }
  atEnd(kill)
  child.stdout.resume()
  await new Promise<void>((resolve) => child.stderr.on('data', (text) => String(text).match(/port/) && resolve()))
  return { url: `http://127.0.0.1:${port}/${kind === 'sse' ? 'sse' : 'mcp'}`, port, kill }
}

const freePort = async (): Promise<number> => {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as AddressInfo
  await new Promise((resolve) => probe.close(resolve))
  return port
}

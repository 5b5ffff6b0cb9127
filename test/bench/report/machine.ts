/** Where the figures come from. */

import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { arch, availableParallelism, cpus, loadavg, platform, release, totalmem } from 'node:os'

export interface Machine {
  readonly cpu: string
  readonly cores: number
  /** Bytes. */
  readonly memory: number
  readonly system: string
  readonly node: string
  readonly versions: Readonly<Record<string, string>>
}

export const describeMachine = (llamaServer: string | undefined): Machine => ({
  cpu: cpus()[0]?.model ?? 'unknown',
  cores: availableParallelism(),
  memory: totalmem(),
  system: `${platform()} ${arch()} ${release()}`,
  node: process.versions.node,
  versions: {
    ...Object.fromEntries(
      ['@sallyport/core', 'node-llama-cpp', 'onnxruntime-node'].map((name) => [name, packageVersion(name)]),
    ),
    ...(llamaServer === undefined ? {} : { 'llama-server': llamaServerVersion(llamaServer) }),
  },
})

/** Processes that want to run, averaged over the last minute: above the number of cores, figures suffer. */
export const load = (): number => loadavg()[0] ?? 0

const require = createRequire(import.meta.url)

const packageVersion = (name: string): string => {
  try {
    return (JSON.parse(readFileSync(require.resolve(`${name}/package.json`), 'utf8')) as { version: string }).version
  } catch {
    return 'unknown'
  }
}

/** It prints its version to either stream, depending on its age. */
const llamaServerVersion = (command: string): string => {
  const output = execFileSync('sh', ['-c', '"$0" --version 2>&1', command], { encoding: 'utf8' })
  return /version: (.*)/.exec(output)?.[1] ?? 'unknown'
}

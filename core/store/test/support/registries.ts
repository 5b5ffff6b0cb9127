/** Programs that stand in for npm and pip. */

import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

export interface FakeClient {
  /** Archives by package, in the registry's notation: file names and contents. */
  readonly packages?: Readonly<Record<string, { readonly name: string; readonly content: Buffer }>>
  /** Fails with this on standard error. */
  readonly error?: string
  /** Milliseconds before it answers. */
  readonly delay?: number
}

/** One call: its arguments, where it ran and what it could see. */
export interface ClientCall {
  readonly args: readonly string[]
  readonly cwd: string
  readonly environment: Readonly<Record<string, string>>
}

/** Makes a directory for the PATH with stand-ins; a client that is not given is not installed. */
export const fakeRegistries = async (
  directory: string,
  clients: { readonly npm?: FakeClient; readonly pip?: FakeClient },
): Promise<{ readonly path: string; readonly calls: () => Promise<ClientCall[]> }> => {
  const path = join(directory, 'bin')
  const log = join(directory, 'calls.log')
  await mkdir(path, { recursive: true })
  if (clients.npm) await install(path, 'npm', clients.npm, log)
  if (clients.pip) await install(path, 'python3', clients.pip, log)
  return {
    path,
    calls: async () => {
      const lines = await readFile(log, 'utf8').catch(() => '')
      return lines
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line) as ClientCall)
    },
  }
}

const install = async (path: string, program: string, { packages = {}, error, delay = 0 }: FakeClient, log: string) => {
  const archives = Object.entries(packages).map(([spec, { name, content }]) => [
    spec,
    { name, content: content.toString('base64') },
  ])
  const data = JSON.stringify({ packages: Object.fromEntries(archives) as object, error, delay, log })
  await writeFile(
    join(path, program),
    `#!${process.execPath}
const { appendFileSync, writeFileSync } = require('node:fs')
const { packages, error, delay, log } = ${data}
const args = process.argv.slice(2)
appendFileSync(log, JSON.stringify({ args, cwd: process.cwd(), environment: process.env }) + '\\n')
const target = args.find((each) => /^--(dest|pack-destination)=/.test(each))?.split('=')[1]
const found = packages[args.find((each) => each in packages)]
setTimeout(() => {
  if (error || !found) {
    console.error(error ?? 'No matching distribution found')
    process.exit(1)
  }
  writeFileSync(target + '/' + found.name, Buffer.from(found.content, 'base64'))
}, delay)
`,
  )
  await chmod(join(path, program), 0o755)
}

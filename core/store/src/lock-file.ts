/** The file in which the references that a configuration uses are pinned. */

import { createHash, randomUUID } from 'node:crypto'
import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { stringify } from 'yaml'
import { dictionary } from '@sallyport/kit/json'
import { compileOptions } from '@sallyport/kit/schemas'
import { readYaml } from '@sallyport/config'
import { failure, systemCode } from '@sallyport/core'
import type { Cache } from './cache.js'
import { withLocks } from './locks.js'

/** The size and SHA-256 of a file at the pinned commit, or that it had no file of that name. */
export type PinnedFile = { readonly size: number; readonly sha256: string } | 'absent'

/** What a repository at a revision stands for. */
export interface Pin {
  readonly commit: string
  readonly files: Readonly<Record<string, PinnedFile>>
}

/** Keys are `owner/repository@revision`. */
export type Pins = Readonly<Record<string, Pin>>

const heading = `# What references to a hub stand for. Written by sallyport on first use; keep it beside the configuration and under
# version control. To take a newer revision: sallyport models pull --update REFERENCE`

const hex = (digits: number) => ({ type: 'string', pattern: `^[0-9a-f]{${digits}}$` }) as const

const pinnedFile = {
  type: 'object',
  properties: { size: { type: 'integer', minimum: 0 }, sha256: hex(64) },
  required: ['size', 'sha256'],
} as const

const pin = {
  type: 'object',
  properties: {
    commit: hex(40),
    files: { type: 'object', additionalProperties: { anyOf: [{ const: 'absent' }, pinnedFile] } },
  },
  required: ['commit', 'files'],
} as const

const schema = {
  type: 'object',
  properties: { version: { const: 1 }, hub: { type: 'object', additionalProperties: pin } },
  required: ['version', 'hub'],
} as const

export class LockFile {
  constructor(
    private readonly path: string,
    /** Holds the locks between processes. */
    private readonly cache: Cache,
  ) {}

  /** @throws config_invalid */
  async read(): Promise<Pins> {
    const text = await readFile(this.path, 'utf8').catch((cause: unknown) => {
      if (systemCode(cause) === 'ENOENT') return undefined
      throw failure('config_invalid', { where: this.path, problem: 'cannot be read: check its permissions' }, { cause })
    })
    if (text === undefined) return {}
    const { value, places } = readYaml(text, this.path, {})
    const { hub } = compileOptions(schema)(value, { path: [], where: places.where })
    return Object.fromEntries(
      Object.entries(hub).map(([key, { commit, files }]) => [key, { commit, files: dictionary(files) }]),
    )
  }

  /** Adds files to the pin of a repository. A new commit replaces the whole pin. */
  async add(key: string, { commit, files }: Pin): Promise<void> {
    await this.cache.prepare()
    const lock = `lock-file-${createHash('sha256').update(this.path).digest('hex').slice(0, 32)}`
    await withLocks(this.cache.locks, [lock], { signal: undefined, onWait: () => undefined }, async () => {
      const pins = await this.read()
      const known = pins[key]?.commit === commit ? pins[key].files : {}
      await this.write({ ...pins, [key]: { commit, files: { ...known, ...files } } })
    })
  }

  private async write(pins: Pins): Promise<void> {
    const body = stringify({ version: 1, hub: pins }, { lineWidth: 0, sortMapEntries: false })
    const temporary = `${this.path}.${randomUUID()}`
    try {
      await writeFile(temporary, `${heading}\n${body}`)
      await rename(temporary, this.path)
    } catch (cause) {
      await rm(temporary, { force: true })
      const problem =
        `cannot be written, so that nothing would hold the reference to what it stands for today: make it writable, ` +
        `or name a commit (hf:owner/repository@commit/file)`
      throw failure('config_invalid', { where: basename(this.path), problem }, { cause })
    }
  }
}

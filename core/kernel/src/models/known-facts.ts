/** Remembers what models turned out to be, so that a listing need not load them. */

import { createHash, randomUUID } from 'node:crypto'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { LoadedDescriptor } from '@sallyport/core'
import { isRecord } from '@sallyport/kit/json'

/** What a load found. */
export interface ModelFindings {
  readonly capabilities: readonly string[]
  readonly descriptor: LoadedDescriptor
}

/** What decides what a load finds. */
export interface ModelIdentity {
  readonly plugin: string
  readonly backend: string
  readonly options: object
  /** Digests of its files. */
  readonly digests: readonly string[]
}

/** Findings in a directory, a file each. */
export class KnownFacts {
  constructor(private readonly directory: string) {}

  /** Undefined where nothing is known, or nothing that can be read. */
  async recall(identity: ModelIdentity): Promise<ModelFindings | undefined> {
    try {
      const findings: unknown = JSON.parse(await readFile(this.fileOf(identity), 'utf8'))
      return isFindings(findings) ? findings : undefined
    } catch {
      return undefined
    }
  }

  async remember(identity: ModelIdentity, findings: ModelFindings): Promise<void> {
    const file = this.fileOf(identity)
    const draft = `${file}.${randomUUID()}`
    await mkdir(this.directory, { recursive: true, mode: 0o700 })
    await writeFile(draft, JSON.stringify(findings), { mode: 0o600 })
    await rename(draft, file)
  }

  private fileOf({ plugin, backend, options, digests }: ModelIdentity): string {
    const hash = createHash('sha256').update(JSON.stringify([plugin, backend, options, digests]))
    return join(this.directory, `${hash.digest('hex')}.json`)
  }
}

const isFindings = (value: unknown): value is ModelFindings => {
  if (!isRecord(value)) return false
  const { capabilities, descriptor } = value
  return (
    Array.isArray(capabilities) && capabilities.every((name) => typeof name === 'string') && isDescriptor(descriptor)
  )
}

const isDescriptor = (value: unknown): value is LoadedDescriptor => {
  if (!isRecord(value)) return false
  const { contextLength, parameters, ownedBy, description, promptFormat, features, entityTypes } = value
  const areTexts = [ownedBy, description, promptFormat].every((text) => text === undefined || typeof text === 'string')
  return (
    areTexts &&
    [contextLength, parameters].every((count) => count === undefined || typeof count === 'number') &&
    (features === undefined || isRecord(features)) &&
    (entityTypes === undefined || (Array.isArray(entityTypes) && entityTypes.every((type) => typeof type === 'string')))
  )
}

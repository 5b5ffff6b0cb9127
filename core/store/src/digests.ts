/** Digests of files, and a memory of them. */

import { createHash, randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, readFile, rename, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Identifies a file's content. Hubs announce git's hash for small files; everything else has a SHA-256. */
export interface Digest {
  readonly algorithm: 'sha256' | 'git-sha1'
  /** Lower-case hexadecimal; it is validated, since file names are made of it. */
  readonly hex: string
}

export const sha256Pattern = /^[0-9a-f]{64}$/
const sha1Pattern = /^[0-9a-f]{40}$/

export const sha256Digest = (hex: string): Digest => ({ algorithm: 'sha256', hex })

/** The digest that a hub's entity tag stands for. */
export const parseDigest = (tag: string | undefined): Digest | undefined => {
  const hex = tag?.replace(/^W\//, '').replaceAll('"', '').toLowerCase() ?? ''
  if (sha256Pattern.test(hex)) return sha256Digest(hex)
  return sha1Pattern.test(hex) ? { algorithm: 'git-sha1', hex } : undefined
}

/** Reads the file once for all its hashes. @param git whether git's hash is needed, too */
export const hashFile = async (
  path: string,
  { git = false, signal }: { git?: boolean; signal?: AbortSignal | undefined } = {},
): Promise<{ size: number; sha256: string; gitSha1: string | undefined }> => {
  const { size } = await stat(path)
  const sha256 = createHash('sha256')
  const sha1 = git ? createHash('sha1').update(`blob ${size}\0`) : undefined
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20, signal })) {
    sha256.update(chunk as Buffer)
    sha1?.update(chunk as Buffer)
  }
  return { size, sha256: sha256.digest('hex'), gitSha1: sha1?.digest('hex') }
}

/** Remembers digests by size, time and inode: a file is hashed once, and again when it has changed. */
export class DigestMemory {
  constructor(private readonly directory: string) {}

  async sha256(path: string, signal?: AbortSignal): Promise<string> {
    const state = await stateOf(path)
    const note = await readNote(this.noteOf(path))
    if (note.state === state && note.sha256 !== undefined) return note.sha256
    const { sha256 } = await hashFile(path, { signal })
    await this.remember(path, sha256, state)
    return sha256
  }

  /** Stores a digest. Failures are ignored: the next start hashes the file again. */
  async remember(path: string, sha256: string, state?: string): Promise<void> {
    const temporary = `${this.noteOf(path)}.${randomUUID()}`
    try {
      await mkdir(this.directory, { recursive: true })
      await writeFile(temporary, JSON.stringify({ state: state ?? (await stateOf(path)), sha256 }))
      await rename(temporary, this.noteOf(path))
    } catch {
      return
    }
  }

  private noteOf(path: string): string {
    return join(this.directory, `${createHash('sha256').update(path).digest('hex')}.json`)
  }
}

const stateOf = async (path: string): Promise<string> => {
  const { size, mtimeMs, ino, dev } = await stat(path)
  return [size, mtimeMs, ino, dev].join(' ')
}

const readNote = async (path: string): Promise<{ readonly state?: string; readonly sha256?: string }> => {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as object
  } catch {
    return {}
  }
}

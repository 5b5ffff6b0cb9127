import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'

/** What identifies a file's content. Hubs name small files by git's hash of them, everything else goes by SHA-256. */
export interface Digest {
  readonly algorithm: 'sha256' | 'git-sha1'
  /** Lower-case hexadecimal; checked, since names of files are made of it. */
  readonly hex: string
}

export const sha256Pattern = /^[0-9a-f]{64}$/
const sha1Pattern = /^[0-9a-f]{40}$/

export const sha256Digest = (hex: string): Digest => ({ algorithm: 'sha256', hex })

/** The digest that a hub's entity tag stands for. */
export const parseDigest = (tag: string | undefined): Digest | undefined => {
  const hex = tag?.replace(/^W\//, '').replaceAll('"', '').toLowerCase() ?? ''
  if (sha256Pattern.test(hex)) return { algorithm: 'sha256', hex }
  return sha1Pattern.test(hex) ? { algorithm: 'git-sha1', hex } : undefined
}

/** Reads the file once for all the hashes that are asked for. */
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

import { createHash } from 'node:crypto'

export const sha256 = (content: Buffer): string => createHash('sha256').update(content).digest('hex')

/** As git names a file's content. */
export const gitSha1 = (content: Buffer): string =>
  createHash('sha1').update(`blob ${content.length}\0`).update(content).digest('hex')

import { createHmac, hkdfSync, randomBytes, randomUUID } from 'node:crypto'
import { existsSync, linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { failure, systemCode } from '@sallyport/core'

const size = 32

/**
 * The server's secret: without it the stored hashes say nothing about the keys. Made on first use.
 * @throws config_invalid where the file holds anything but a secret
 */
export const loadPepper = (directory: string): Buffer => {
  const file = join(directory, 'pepper')
  if (!existsSync(file)) makePepper(file)
  const pepper = readFileSync(file)
  if (pepper.length === size) return pepper
  throw failure('config_invalid', {
    where: file,
    problem:
      `must hold ${size} bytes, but holds ${pepper.length}: restore the file from a backup, or delete it; ` +
      'then a new secret is made, existing keys stop working, and stored responses cannot be read',
  })
}

/**
 * Links the file into place, and does not rename it: of two processes that start at once, one wins and both use its
 * secret.
 */
const makePepper = (file: string): void => {
  const draft = `${file}.${randomUUID()}`
  writeFileSync(draft, randomBytes(size), { mode: 0o600, flush: true })
  try {
    linkSync(draft, file)
  } catch (error) {
    if (systemCode(error) !== 'EEXIST') throw error
  } finally {
    rmSync(draft)
  }
}

/** A secret of 32 bytes for one purpose, by HKDF-SHA-256. */
export const deriveSecret = (pepper: Buffer, purpose: string): Buffer =>
  Buffer.from(hkdfSync('sha256', pepper, '', `sallyport ${purpose}`, size))

export const hashKey = (pepper: Buffer, key: string): Buffer => createHmac('sha256', pepper).update(key).digest()

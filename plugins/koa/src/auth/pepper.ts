import { createHmac, randomBytes, randomUUID } from 'node:crypto'
import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { failure, systemCode } from '@sallyport/core'

const size = 32

/**
 * The server's secret: without it the stored hashes say nothing about the keys. Made on first use.
 * @throws config_invalid where the file holds anything but a secret
 */
export const loadPepper = (directory: string): Buffer => {
  const file = join(directory, 'pepper')
  return readPepper(file) ?? makePepper(file)
}

const readPepper = (file: string): Buffer | undefined => {
  try {
    return requireValid(readFileSync(file), file)
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}

const requireValid = (pepper: Buffer, file: string): Buffer => {
  if (pepper.length === size) return pepper
  throw failure('config_invalid', {
    where: file,
    problem:
      `must hold ${size} bytes, but holds ${pepper.length}: restore the file from a backup, or delete it; ` +
      'then a new secret is made, and existing keys stop working',
  })
}

/**
 * Links the file into place, and does not rename it: of two processes that start at once, one wins and both use its
 * secret.
 */
const makePepper = (file: string): Buffer => {
  const draft = `${file}.${randomUUID()}`
  writeFileSync(draft, randomBytes(size), { mode: 0o600, flush: true })
  try {
    linkSync(draft, file)
  } catch (error) {
    if (!alreadyExists(error)) throw error
  } finally {
    rmSync(draft)
  }
  return requireValid(readFileSync(file), file)
}

export const isMissing = (error: unknown): boolean => systemCode(error) === 'ENOENT'
const alreadyExists = (error: unknown): boolean => systemCode(error) === 'EEXIST'

export const hashKey = (pepper: Buffer, key: string): Buffer => createHmac('sha256', pepper).update(key).digest()

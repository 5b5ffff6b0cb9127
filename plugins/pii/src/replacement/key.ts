import { randomBytes, randomUUID } from 'node:crypto'
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

const fileName = 'pii.key'

/**
 * Reads the key that replacements are derived from, or generates it at the first start, readable for its owner only.
 * Whoever has it can test which original was replaced.
 * @throws what the file system throws; Error where the file contains no key
 */
export const serverKey = async (home: string): Promise<Uint8Array> => {
  const file = join(home, fileName)
  await mkdir(home, { recursive: true, mode: 0o700 })
  const content = await readFile(file, 'utf8').catch(throwUnless('ENOENT'))
  if (content !== undefined) return keyIn(content, file)
  const temporaryFile = join(home, `.${fileName}.${randomUUID()}`)
  try {
    await writeFile(temporaryFile, `${randomBytes(32).toString('hex')}\n`, { mode: 0o600, flag: 'wx', flush: true })
    // Another process may generate one at the same time: all use the first.
    await link(temporaryFile, file).catch(throwUnless('EEXIST'))
  } finally {
    await rm(temporaryFile, { force: true })
  }
  return keyIn(await readFile(file, 'utf8'), file)
}

const throwUnless =
  (code: string) =>
  (error: unknown): undefined => {
    if (!(error instanceof Error && 'code' in error && error.code === code)) throw error
  }

const keyIn = (text: string, file: string): Uint8Array => {
  if (!/^[\da-f]{64}\n?$/.test(text)) throw new Error(`${file} contains no key: remove it, and a new one is generated`)
  return Buffer.from(text.trim(), 'hex')
}

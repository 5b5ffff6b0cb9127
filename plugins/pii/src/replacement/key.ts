import { randomBytes, randomUUID } from 'node:crypto'
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

const fileName = 'pii.key'
const length = 32

/**
 * The key that substitutes are made from, of a home directory: made at the first start, for the owner alone. Whoever
 * has it can try which original a fake stands for.
 * @throws what the file system throws; Error where the file is not one of ours
 */
export const serverKey = async (home: string): Promise<Uint8Array> => {
  const file = join(home, fileName)
  await mkdir(home, { recursive: true, mode: 0o700 })
  const known = await readFile(file, 'utf8').catch(unless('ENOENT'))
  if (known !== undefined) return keyIn(known, file)
  const whole = join(home, `.${fileName}.${randomUUID()}`)
  try {
    await writeFile(whole, `${randomBytes(length).toString('hex')}\n`, { mode: 0o600, flag: 'wx', flush: true })
    // Another process may be making one, too: the first is everybody's.
    await link(whole, file).catch(unless('EEXIST'))
  } finally {
    await rm(whole, { force: true })
  }
  return keyIn(await readFile(file, 'utf8'), file)
}

const unless =
  (code: string) =>
  (error: unknown): undefined => {
    if (!(error instanceof Error && 'code' in error && error.code === code)) throw error
  }

const keyIn = (text: string, file: string): Uint8Array => {
  if (!/^[\da-f]{64}\n?$/.test(text)) throw new Error(`${file} holds no key: remove it, and a new one is made`)
  return Buffer.from(text.trim(), 'hex')
}

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A folder for the tests of a suite, which is removed after them. Returns what writes a file into it. */
export const temporaryFolder = () => {
  const folder = mkdtempSync(join(tmpdir(), 'whisper-'))
  after(() => rmSync(folder, { recursive: true, force: true }))
  let count = 0
  return Object.assign(
    (content: Uint8Array | string, name = `file-${count++}`): string => {
      const path = join(folder, name)
      writeFileSync(path, content)
      return path
    },
    { folder },
  )
}

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

let directory: string | undefined
let count = 0

/** Writes a temporary file with a name that says nothing; it is removed when the process ends. */
export const sampleFile = (content: Uint8Array | string): string => {
  if (!directory) {
    const made = (directory = mkdtempSync(join(tmpdir(), 'conformance-')))
    process.once('exit', () => rmSync(made, { recursive: true, force: true }))
  }
  const file = join(directory, `sample-${count++}`)
  writeFileSync(file, content)
  return file
}

/** A file that is written once, when it is first asked for. */
export const lazyFile = (content: () => Uint8Array | string): (() => string) => {
  let file: string | undefined
  return () => (file ??= sampleFile(content()))
}

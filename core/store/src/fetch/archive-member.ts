/** Copies one file out of a package. Nothing else of the package touches the disk, and nothing of it is run. */

import { createReadStream, createWriteStream } from 'node:fs'
import { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { extract } from 'tar-stream'
import { openPromise } from 'yauzl'
import { SourceError } from '../problems.js'

/** Methods that the types of the library lack. */
declare module 'yauzl' {
  function openPromise(path: string, options: Options): Promise<ZipFile>
  interface ZipFile {
    eachEntry(): AsyncIterable<Entry>
    openReadStreamPromise(entry: Entry): Promise<AsyncIterable<unknown>>
  }
}

/** The file to which a member is appended, and the size that it may not exceed. */
interface MemberTarget {
  readonly path: string
  /** Bytes of the whole file. */
  readonly size: number | undefined
  /** Bytes that are in it already. */
  readonly offset: number
  readonly signal: AbortSignal
}

/** @returns bytes written */
export type CopyMember = (archive: string, member: string, target: MemberTarget) => Promise<number>

const missing = (member: string) => new SourceError(`has no file ${member} inside`)

/** Copies out of a wheel, which is a zip file. */
export const copyFromWheel: CopyMember = async (archive, member, target) => {
  const zip = await openPromise(archive, { autoClose: false }).catch(archiveError)
  try {
    for await (const entry of zip.eachEntry())
      if (entry.fileName === member) return await copy(await zip.openReadStreamPromise(entry), target)
    throw missing(member)
  } catch (error) {
    return archiveError(error)
  } finally {
    zip.close()
  }
}

/** Copies out of an npm tarball, whose files lie in one folder, mostly called `package`. */
export const copyFromTarball: CopyMember = async (archive, member, target) => {
  const tar = extract()
  const reading = pipeline(createReadStream(archive), createGunzip(), tar, { signal: target.signal })
  // The loop below fails with the same error.
  reading.catch(() => undefined)
  try {
    for await (const entry of tar) {
      const { name, type } = entry.header
      if (type === 'file' && name.slice(name.indexOf('/') + 1) === member) return await copy(entry, target)
      entry.resume()
    }
    throw missing(member)
  } catch (error) {
    return archiveError(error)
  } finally {
    tar.destroy()
    await reading.catch(() => undefined)
  }
}

const copy = async (from: AsyncIterable<unknown>, { path, size, offset, signal }: MemberTarget): Promise<number> => {
  let copied = 0
  const limit = new Transform({
    transform: (chunk: Buffer, _, done) => {
      copied += chunk.length
      if (size === undefined || offset + copied <= size) done(null, chunk)
      else done(new SourceError(`is larger than the ${size} bytes that it should have`))
    },
  })
  const file = createWriteStream(path, { flags: offset ? 'a' : 'w' })
  await pipeline(Readable.from(from, { objectMode: false }), limit, file, { signal })
  return copied
}

/** Rethrows errors of the file system and of the signal; all others mean that the archive cannot be read. */
const archiveError = (error: unknown): never => {
  if (error instanceof SourceError || !(error instanceof Error) || error.name === 'AbortError') throw error
  if ('syscall' in error) throw error
  throw new SourceError(`is not a readable archive (${error.message})`, false, error)
}

/**
 * Directories in which a model's files have their own names: libraries find the parts of a split model, or a file of
 * weights beside a graph, by name. The files are hard links to blobs.
 */

import { createHash, randomUUID } from 'node:crypto'
import { link, mkdir, readdir, rename, rm, rmdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { BlobStore } from './blob-store.js'
import type { FoundFile } from './shelf.js'

/** A file that is on this machine, and the name that it is to have. */
export interface NamedFile {
  /** Path in the directory, already checked to stay inside. */
  readonly name: string
  readonly found: FoundFile
}

const viewsOf = (blobs: BlobStore) => join(blobs.directory, 'models')

/**
 * The paths of the files, those of the cache side by side in one directory. Where no links can be made (a read-only
 * cache, some file systems), these are the blobs themselves.
 */
export const arrange = async (blobs: BlobStore, label: string, files: readonly NamedFile[]): Promise<string[]> => {
  const content = files.flatMap(({ name, found }) => (found.kind === 'blob' ? `${found.sha256} ${name}` : [])).sort()
  const hash = createHash('sha256').update(content.join('\n')).digest('hex').slice(0, 12)
  const readable = label.replace(/[^\w.-]+/g, '-').slice(0, 80)
  const directory = join(viewsOf(blobs), `${readable}-${hash}`)
  const pathOf = async ({ name, found }: NamedFile) => {
    if (found.kind === 'path') return found.path
    const blob = blobs.path(found.sha256)
    return place(blob, join(directory, name)).catch(() => blob)
  }
  return Promise.all(files.map(pathOf))
}

const place = async (blob: string, path: string): Promise<string> => {
  const wanted = await stat(blob)
  const there = await stat(path).catch(() => undefined)
  if (there?.ino === wanted.ino && there.dev === wanted.dev) return path
  await mkdir(dirname(path), { recursive: true })
  const temporary = `${path}.${randomUUID()}`
  await link(blob, temporary)
  await rename(temporary, path)
  // Renaming a link to where another link to the same file stands does nothing, and leaves both.
  await rm(temporary, { force: true })
  return path
}

/** Removes the links whose blob is gone, and the directories that are empty then. */
export const removeDeadLinks = async (blobs: BlobStore): Promise<void> => {
  await prune(viewsOf(blobs))
}

const prune = async (directory: string): Promise<void> => {
  const entries = await readdir(directory, { withFileTypes: true }).catch(() => [])
  for (const entry of entries) {
    const path = join(directory, entry.name)
    if (entry.isDirectory()) await prune(path)
    else if ((await stat(path)).nlink === 1) await rm(path, { force: true })
  }
  await rmdir(directory).catch(() => undefined)
}

/**
 * Directories in which a model's files have their own names: libraries find the parts of a split model, or a file of
 * weights beside a graph, by name. The files are hard links to blobs.
 */

import { createHash, randomUUID } from 'node:crypto'
import type { Stats } from 'node:fs'
import { link, mkdir, readdir, rename, rm, rmdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileIdentity } from './blob-store.js'
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

/** Links that lead to no blob any more, and with which space is lost. */
export interface DeadLinks {
  readonly paths: readonly string[]
  /** Bytes of each file that would be freed. */
  readonly sizes: readonly number[]
}

/** A file without a blob may still have several links: it is not their number that tells. */
export const deadLinks = async (blobs: BlobStore): Promise<DeadLinks> => {
  // Before the blobs: what is linked meanwhile is let be.
  const links = await linksBelow(viewsOf(blobs))
  const alive = await blobs.identities()
  const dead = links.filter(({ stats }) => !alive.has(fileIdentity(stats)))
  const files = new Map(dead.map(({ stats }) => [fileIdentity(stats), stats.size]))
  return { paths: dead.map(({ path }) => path), sizes: [...files.values()] }
}

/** Removes them, and the directories that are empty then. */
export const removeDeadLinks = async (blobs: BlobStore): Promise<DeadLinks> => {
  const dead = await deadLinks(blobs)
  for (const path of dead.paths) await rm(path, { force: true })
  await removeEmpty(viewsOf(blobs))
  return dead
}

const linksBelow = async (directory: string): Promise<{ readonly path: string; readonly stats: Stats }[]> => {
  const names = await readdir(directory, { recursive: true }).catch(() => [])
  const links = names.map(async (name) => {
    const path = join(directory, name)
    const stats = await stat(path).catch(() => undefined)
    return stats?.isFile() ? [{ path, stats }] : []
  })
  return (await Promise.all(links)).flat()
}

const removeEmpty = async (directory: string): Promise<void> => {
  const entries = await readdir(directory, { withFileTypes: true }).catch(() => [])
  for (const entry of entries) if (entry.isDirectory()) await removeEmpty(join(directory, entry.name))
  await rmdir(directory).catch(() => undefined)
}

/**
 * Directories in which a model's files have their own names: libraries find the parts of a split model, or weights
 * beside a graph, by name. The files are hard links to blobs, since some libraries refuse symbolic ones.
 */

import { createHash, randomUUID } from 'node:crypto'
import type { Stats } from 'node:fs'
import { link, mkdir, readdir, rename, rm, rmdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Cache, LocalFile } from './cache.js'

/** A file on this machine, and the name that it gets: a path that was checked to stay below the directory. */
interface NamedFile {
  readonly role: string
  readonly name: string
  readonly found: LocalFile
}

/** The paths of the files by role: links to blobs in one directory or, where no links can be made, the blobs. */
export const linkFiles = async (
  cache: Cache,
  label: string,
  files: readonly NamedFile[],
): Promise<Record<string, string>> => {
  const content = files.flatMap(({ name, found: { blob } }) => (blob === undefined ? [] : `${blob} ${name}`)).sort()
  const hash = createHash('sha256').update(content.join('\n')).digest('hex').slice(0, 12)
  const directory = join(cache.models, `${label.replace(/[^\w.-]+/g, '-').slice(0, 80)}-${hash}`)
  const entries = files.map(async ({ role, name, found: { path, blob } }) => {
    const place = blob === undefined ? path : await linkFile(path, join(directory, name)).catch(() => path)
    return [role, place] as const
  })
  return Object.fromEntries(await Promise.all(entries))
}

const linkFile = async (blob: string, path: string): Promise<string> => {
  const there = await stat(path).catch(() => undefined)
  if (there && identity(there) === identity(await stat(blob))) return path
  await mkdir(dirname(path), { recursive: true })
  const temporary = `${path}.${randomUUID()}`
  await link(blob, temporary)
  await rename(temporary, path)
  // A rename onto another link to the same file does nothing, and leaves both.
  await rm(temporary, { force: true })
  return path
}

/** Identifies a file, whatever its name. */
const identity = ({ dev, ino }: Stats): string => `${dev} ${ino}`

/** Links whose blob is gone. The number of links of a file does not show it, since it may have several. */
export const deadLinks = async (cache: Cache): Promise<readonly { readonly path: string; readonly stats: Stats }[]> => {
  // The links are read before the blobs, so that links made meanwhile are not taken for dead.
  const names = await readdir(cache.models, { recursive: true }).catch(() => [])
  const links = await Promise.all(
    names.map(async (name) => {
      const path = join(cache.models, name)
      const stats = await stat(path).catch(() => undefined)
      return stats?.isFile() ? [{ path, stats }] : []
    }),
  )
  const alive = new Set(Array.from((await cache.list()).values(), identity))
  return links.flat().filter(({ stats }) => !alive.has(identity(stats)))
}

/** Sizes in bytes of the files behind links, each file once. */
export const sizesOf = (links: readonly { readonly stats: Stats }[]): number[] => [
  ...new Map(links.map(({ stats }) => [identity(stats), stats.size])).values(),
]

/** Removes dead links and empty directories. @returns sizes in bytes of the files that went with them */
export const removeDeadLinks = async (cache: Cache): Promise<number[]> => {
  const dead = await deadLinks(cache)
  for (const { path } of dead) await rm(path, { force: true })
  await removeEmpty(cache.models)
  return sizesOf(dead)
}

const removeEmpty = async (directory: string): Promise<void> => {
  const entries = await readdir(directory, { withFileTypes: true }).catch(() => [])
  for (const entry of entries) if (entry.isDirectory()) await removeEmpty(join(directory, entry.name))
  await rmdir(directory).catch(() => undefined)
}

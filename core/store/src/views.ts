/**
 * Directories in which a model's files have their own names: libraries find the parts of a split model, or a file of
 * weights beside a graph, by name. The files are hard links to blobs, since some libraries refuse symbolic ones.
 */

import { createHash, randomUUID } from 'node:crypto'
import type { Stats } from 'node:fs'
import { link, mkdir, readdir, rename, rm, rmdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Cache, FoundFile } from './cache.js'

/** A file that is on this machine, and the name that it is to have: a path that is checked to stay inside. */
export interface NamedFile {
  readonly role: string
  readonly name: string
  readonly found: FoundFile
}

/**
 * The paths of the files by role, those of the cache side by side in one directory. Where no links can be made (a
 * read-only cache, some file systems), these are the blobs themselves.
 */
export const arrange = async (
  cache: Cache,
  label: string,
  files: readonly NamedFile[],
): Promise<Record<string, string>> => {
  const content = files.flatMap(({ name, found: { blob } }) => (blob === undefined ? [] : `${blob} ${name}`)).sort()
  const hash = createHash('sha256').update(content.join('\n')).digest('hex').slice(0, 12)
  const directory = join(cache.models, `${label.replace(/[^\w.-]+/g, '-').slice(0, 80)}-${hash}`)
  const entries = files.map(async ({ role, name, found: { path, blob } }) => {
    const place = blob === undefined ? path : await linked(path, join(directory, name)).catch(() => path)
    return [role, place] as const
  })
  return Object.fromEntries(await Promise.all(entries))
}

const linked = async (blob: string, path: string): Promise<string> => {
  const there = await stat(path).catch(() => undefined)
  if (there && identity(there) === identity(await stat(blob))) return path
  await mkdir(dirname(path), { recursive: true })
  const temporary = `${path}.${randomUUID()}`
  await link(blob, temporary)
  await rename(temporary, path)
  // Renaming a link to where another link to the same file stands does nothing, and leaves both.
  await rm(temporary, { force: true })
  return path
}

/** Tells files apart under whatever names they have. */
const identity = ({ dev, ino }: Stats): string => `${dev} ${ino}`

/** Links that lead to no blob any more, and with which space is lost: their number does not tell, one file may have several. */
export const deadLinks = async (cache: Cache): Promise<readonly { readonly path: string; readonly stats: Stats }[]> => {
  // The links are read before the blobs: what is linked meanwhile is let be.
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

/** Bytes of each file that goes with the links, once for all links of a file. */
export const sizesBehind = (links: readonly { readonly stats: Stats }[]): number[] => [
  ...new Map(links.map(({ stats }) => [identity(stats), stats.size])).values(),
]

/** Removes dead links, and the directories that are empty then. @returns bytes of each file that is gone with them */
export const removeDeadLinks = async (cache: Cache): Promise<number[]> => {
  const dead = await deadLinks(cache)
  for (const { path } of dead) await rm(path, { force: true })
  await removeEmpty(cache.models)
  return sizesBehind(dead)
}

const removeEmpty = async (directory: string): Promise<void> => {
  const entries = await readdir(directory, { withFileTypes: true }).catch(() => [])
  for (const entry of entries) if (entry.isDirectory()) await removeEmpty(join(directory, entry.name))
  await rmdir(directory).catch(() => undefined)
}

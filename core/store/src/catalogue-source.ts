import { resolve } from 'node:path'
import type { OptionsOf } from '@sallyport/core'
import type { Path } from '@sallyport/kit/json'
import type { Problem } from '@sallyport/kit/schemas'
import type { sourceSchema } from './catalogue-schema.js'

/** A file of this machine that is used where it is. */
export interface PathSource {
  readonly kind: 'path'
  /** Absolute. */
  readonly path: string
}

/** A file inside a package of a registry. */
export interface PackageSource {
  readonly kind: 'npm' | 'pypi'
  /** In the registry's own notation: `name@version` or `name==version`. */
  readonly package: string
  readonly member: string
}

/** A file cut into pieces that lie in several packages. */
export interface PartsSource {
  readonly kind: 'parts'
  readonly parts: readonly PackageSource[]
}

export interface HubSource {
  readonly kind: 'hub'
  readonly repository: string
  readonly commit: string
  readonly member: string
}

export type FileSource = PathSource | PackageSource | PartsSource | HubSource

type WrittenSource = OptionsOf<typeof sourceSchema>

const kinds = ['path', 'npm', 'pypi', 'hub', 'parts'] as const

/** @returns undefined when it has problems, which are added to the list */
export const readSource = (
  written: WrittenSource,
  path: Path,
  directory: string,
  problems: Problem[],
): FileSource | undefined => {
  const given = kinds.filter((kind) => written[kind] !== undefined)
  const needsMember = written.path === undefined && written.parts === undefined
  if (given.length !== 1)
    problems.push({ path, problem: `a source is exactly one of ${kinds.join(', ')}, but there are ${given.length}` })
  else if (needsMember !== (written.member !== undefined))
    problems.push({ path, problem: needsMember ? 'says no "member"' : '"member" has no meaning here: remove it' })
  else return sourceOf(written, path, directory, problems)
  return undefined
}

const sourceOf = (
  written: WrittenSource,
  path: Path,
  directory: string,
  problems: Problem[],
): FileSource | undefined => {
  const { member = '', hub, npm, pypi, parts } = written
  if (written.path !== undefined) return { kind: 'path', path: resolve(directory, written.path) }
  if (npm !== undefined) return { kind: 'npm', package: npm, member }
  if (pypi !== undefined) return { kind: 'pypi', package: pypi, member }
  if (hub !== undefined) {
    const [repository = '', commit = ''] = hub.split('@')
    return { kind: 'hub', repository, commit, member }
  }
  const read = (parts ?? []).map((part, index) => readSource(part, [...path, 'parts', index], directory, problems))
  return { kind: 'parts', parts: read.flatMap((part) => (part?.kind === 'npm' || part?.kind === 'pypi' ? [part] : [])) }
}

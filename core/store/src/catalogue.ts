import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { compileOptions, configError } from '@sallyport/kit/schemas'
import type { Problem } from '@sallyport/kit/schemas'
import { append } from '@sallyport/kit/lists'
import type { Path } from '@sallyport/kit/json'
import { readYaml } from '@sallyport/config'
import { failure, systemCode } from '@sallyport/core'
import type { OptionsOf } from '@sallyport/core'
import { catalogueSchema } from './catalogue-schema.js'
import type { fileSchema, modelSchema, sourceSchema } from './catalogue-schema.js'
import type { FileSource, PackageSource } from './planned-file.js'

interface CatalogueFile extends Omit<OptionsOf<typeof fileSchema>, 'sources'> {
  readonly name: string
  readonly sources: readonly FileSource[]
}

export interface CatalogueEntry extends Omit<OptionsOf<typeof modelSchema>, 'files'> {
  readonly id: string
  readonly files: Readonly<Record<string, CatalogueFile>>
}

export type Catalogue = ReadonlyMap<string, CatalogueEntry>

/** The places of the catalogue that comes with the core: in its repository, or packed with it. */
const builtInPaths = ['../../../../config/models.yaml', '../../models.yaml']

/** Joins the built-in catalogue and the files, of which later ones win. @throws config_invalid, with the place */
export const loadCatalogues = async (files: readonly string[]): Promise<Catalogue> => {
  const builtIn = builtInPaths.map((path) => fileURLToPath(new URL(path, import.meta.url))).find(existsSync)
  const problem = 'the built-in catalogue of models is missing: install @sallyport/store anew'
  if (builtIn === undefined) throw failure('config_invalid', { problem })
  const catalogues = await Promise.all([builtIn, ...files].map(loadCatalogue))
  return new Map(catalogues.flatMap((catalogue) => [...catalogue]))
}

const loadCatalogue = async (file: string): Promise<Catalogue> => {
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    const problem = systemCode(cause) === 'ENOENT' ? 'there is no such catalogue' : 'cannot be read'
    throw failure('config_invalid', { where: file, problem }, { cause })
  })
  return parseCatalogue(text, file)
}

/** @param file where the text comes from: for messages, and for relative paths in it */
export const parseCatalogue = (text: string, file: string): Catalogue => {
  const { value, places } = readYaml(text, file, {})
  const { models } = compileOptions(catalogueSchema)(value, { path: [], where: places.where })
  const problems: Problem[] = []
  const catalogue = new Map<string, CatalogueEntry>()
  for (const [id, { files, ...rest }] of Object.entries(models)) {
    const entries = Object.entries(files).map(([key, { sources, ...facts }]): [string, CatalogueFile] => {
      for (const [index, source] of sources.entries())
        append(problems, problemsOf(source, ['models', id, 'files', key, 'sources', index]))
      return [key, { name: key, ...facts, sources: sources.map((source) => sourceOf(source, dirname(file))) }]
    })
    catalogue.set(id, { id, ...rest, files: Object.fromEntries(entries) })
  }
  if (problems.length) throw configError(problems, places.where)
  return catalogue
}

type SourceOptions = OptionsOf<typeof sourceSchema>

const sourceKinds = ['path', 'npm', 'pypi', 'hub', 'parts'] as const

const problemsOf = (written: SourceOptions, path: Path): readonly Problem[] => {
  const given = sourceKinds.filter((kind) => written[kind] !== undefined)
  const needsMember = written.path === undefined && written.parts === undefined
  if (given.length !== 1)
    return [{ path, problem: `a source is exactly one of ${sourceKinds.join(', ')}, but there are ${given.length}` }]
  if (needsMember !== (written.member !== undefined))
    return [{ path, problem: needsMember ? 'lacks "member"' : '"member" has no meaning here: remove it' }]
  return (written.parts ?? []).flatMap((part, index) => problemsOf(part, [...path, 'parts', index]))
}

/** Of a source with problems the result is meaningless and unused, as the problems are thrown. */
const sourceOf = ({ path, hub, parts, ...written }: SourceOptions, directory: string): FileSource => {
  if (path !== undefined) return { kind: 'path', path: resolve(directory, path) }
  if (parts) return { kind: 'parts', parts: parts.map(packageOf) }
  if (hub === undefined) return packageOf(written)
  const [repository = '', commit = ''] = hub.split('@')
  return { kind: 'hub', repository, commit, member: written.member ?? '' }
}

const packageOf = ({ npm, pypi, member = '' }: Pick<SourceOptions, 'npm' | 'pypi' | 'member'>): PackageSource =>
  npm === undefined ? { kind: 'pypi', package: pypi ?? '', member } : { kind: 'npm', package: npm, member }

import { homedir } from 'node:os'
import { isAbsolute, join, resolve } from 'node:path'
import { modelFiles } from './problems.js'

/** A file, or a whole repository, of a hub. */
export interface HubReference {
  readonly kind: 'hub'
  /** `owner/repository` */
  readonly repository: string
  /** Branch, tag or commit. */
  readonly revision: string
  /** Path inside the repository; absent for all of it. */
  readonly file: string | undefined
}

interface PathReference {
  readonly kind: 'path'
  /** Absolute. */
  readonly path: string
}

interface CatalogueReference {
  readonly kind: 'catalogue'
  readonly id: string
}

/** How a user may name a model. */
export type Reference = HubReference | PathReference | CatalogueReference

export const isCommit = (revision: string): boolean => /^[0-9a-f]{40}$/.test(revision)

const maxLength = 1024
const ownerOrRepository = /^[A-Za-z0-9][\w.-]{0,95}$/
const revisionPattern = /^[A-Za-z0-9][\w./-]{0,199}$/
const controls = /\p{Cc}/u

/** Whether a path stays below its root. */
const isInnerPath = (path: string): boolean =>
  !controls.test(path) &&
  !path.includes('\\') &&
  path.split('/').every((segment) => segment !== '' && segment !== '.' && segment !== '..')

/**
 * Reads `hf:owner/repository[@revision][/file]`, or a path, which has a slash in it or begins with `~`; anything else
 * is taken for an id of the catalogue. Nothing is looked up.
 * @throws model_files
 */
export const parseReference = (text: string, baseDirectory: string): Reference => {
  if (text.length > maxLength || controls.test(text) || text === '')
    throw modelFiles(text, 'is not a reference: it is empty, too long, or holds control characters')
  if (text.startsWith('hf:')) return parseHub(text)
  if (/^https?:/i.test(text)) throw modelFiles(text, `is an address${likeHub(pathOf(text)) || `: ${hubForm}`}`)
  if (text === '~' || text.startsWith('~/')) return { kind: 'path', path: join(homedir(), text.slice(1)) }
  if (/[/\\]/.test(text)) return { kind: 'path', path: isAbsolute(text) ? text : resolve(baseDirectory, text) }
  return { kind: 'catalogue', id: text }
}

const parseHub = (text: string): HubReference => {
  const malformed = (problem: string) => modelFiles(text, `${problem}: ${hubForm}`)
  const [owner = '', second = '', ...path] = text.slice('hf:'.length).split('/')
  const at = second.indexOf('@')
  const name = at < 0 ? second : second.slice(0, at)
  if (![owner, name].every((part) => ownerOrRepository.test(part) && !part.includes('..')))
    throw malformed('names no repository')
  const revision = at < 0 ? 'main' : decode(second.slice(at + 1))
  if (!revisionPattern.test(revision) || !isInnerPath(revision)) throw malformed('names no revision after the @')
  const file = path.length ? path.join('/') : undefined
  if (file !== undefined && !isInnerPath(file)) throw malformed('names a file outside the repository')
  return { kind: 'hub', repository: `${owner}/${name}`, revision, file }
}

const hubForm = 'write hf:owner/repository, where needed with the rest of hf:owner/repository@revision/file'

/** The end of a message: the repository of the hub that a path or an address was probably meant to name, if any. */
export const likeHub = (path: string): string => {
  const [, owner, name] = /^([^/@]+)\/([^/@]+)(?=[/@]|$)/.exec(path) ?? []
  const like = owner !== undefined && name !== undefined && [owner, name].every((part) => ownerOrRepository.test(part))
  return like ? `: did you mean the repository hf:${owner}/${name} of the hub?` : ''
}

const pathOf = (address: string): string => (URL.canParse(address) ? new URL(address).pathname.slice(1) : '')

/** A slash in a revision (`refs/pr/1`) is written as `%2F`. */
const decode = (revision: string): string => {
  try {
    return decodeURIComponent(revision)
  } catch {
    return ''
  }
}

/** The reference as a user would write it. */
export const hubText = ({ repository, revision, file }: HubReference): string => {
  const at = revision === 'main' ? '' : `@${encodeURIComponent(revision)}`
  return `hf:${repository}${at}${file === undefined ? '' : `/${file}`}`
}

const maxParts = 999
const partPattern = /^(.*)-(\d{5})-of-(\d{5})\.gguf$/

/** All parts of a split GGUF, by the first one; any other file alone. @throws model_files for a later part */
export const partsOf = (file: string, reference: string): readonly string[] => {
  const [, stem, index, count] = partPattern.exec(file) ?? []
  if (stem === undefined || index === undefined || count === undefined) return [file]
  const part = (number: number) => `${stem}-${String(number).padStart(5, '0')}-of-${count}.gguf`
  if (Number(index) !== 1)
    throw modelFiles(reference, `is part ${Number(index)} of a split model: name its first part, ${part(1)}`)
  if (Number(count) < 1 || Number(count) > maxParts) throw modelFiles(reference, 'has an impossible number of parts')
  return Array.from({ length: Number(count) }, (_, each) => part(each + 1))
}

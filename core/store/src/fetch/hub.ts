import type { Environment } from '@sallyport/kit/installation'
import { parseDigest } from '../digests.js'
import type { Digest } from '../digests.js'
import type { HubSource } from '../planned-file.js'
import { isCommit } from '../reference.js'
import { HubConnection } from './hub-connection.js'
import type { HubResponse } from './hub-connection.js'
import { SourceError } from '../problems.js'

/** What the hub announces for a file. */
interface HubFile {
  readonly commit: string
  readonly size: number | undefined
  readonly digest: Digest
}

const maxAnswer = 8 << 20

/** @throws config_invalid when `HF_ENDPOINT` is not an address */
export const openHub = (environment: Environment): Hub => new Hub(new HubConnection(environment))

/** Describes files of the hub, and opens them. */
export class Hub {
  constructor(private readonly connection: HubConnection) {}

  /** @returns undefined when the repository has no such file. @throws SourceError for anything else that is missing */
  async describe(
    repository: string,
    revision: string,
    file: string,
    signal: AbortSignal,
  ): Promise<HubFile | undefined> {
    const path = filePath(repository, revision, file)
    const response = await this.connection.send({ method: 'HEAD', path, signal })
    response.body.resume()
    const code = response.announced['x-error-code']
    if (response.status === 404 && (code === undefined || code === 'EntryNotFound')) return undefined
    if (response.status >= 400) throw this.refusal(response, repository, file)
    return parseHubFile(response, revision, file)
  }

  /** Opens a file from a byte on. @throws SourceError */
  async open({ repository, commit, member }: HubSource, offset: number, signal: AbortSignal): Promise<HubResponse> {
    const headers = offset ? { range: `bytes=${offset}-` } : {}
    const path = filePath(repository, commit, member)
    const response = await this.connection.send({ method: 'GET', path, headers, signal })
    if (response.status < 400 || response.status === 416) return response
    response.body.destroy()
    throw this.refusal(response, repository, member)
  }

  /** Names of a repository's files, for messages: empty when they cannot be had. */
  async names(repository: string, revision: string, signal: AbortSignal): Promise<readonly string[]> {
    try {
      const path = `/api/models/${repository}/revision/${encodeURIComponent(revision)}`
      const { status, body } = await this.connection.send({ method: 'GET', path, signal })
      if (status !== 200) body.destroy()
      return status === 200 ? namesIn(await readText(body)) : []
    } catch {
      signal.throwIfAborted()
      return []
    }
  }

  private refusal({ status, announced }: HubResponse, repository: string, file: string): SourceError {
    const page = new URL(`/${repository}`, this.connection.endpoint).href
    const code = announced['x-error-code']
    if (status === 401 || status === 403) return new SourceError(this.forbidden(code, page))
    if (status !== 404 && status !== 410)
      return new SourceError(`answers with status ${status}`, status === 429 || status >= 500)
    if (code === 'RevisionNotFound') return new SourceError(`has no such revision (${page})`)
    return new SourceError(code === 'RepoNotFound' ? 'there is no such repository' : `has no file ${file} (${page})`)
  }

  private forbidden(code: string | undefined, page: string): string {
    const token = this.connection.hasToken
      ? 'HF_TOKEN is set, but does not open it: check the token and its permissions'
      : 'set HF_TOKEN to a token that may read it'
    if (code === 'GatedRepo') return `the authors ask to be asked: accept their terms at ${page}, and ${token}`
    return `the repository is private, gated or does not exist: see ${page}; ${token}`
  }
}

const filePath = (repository: string, revision: string, file: string): string =>
  `/${repository}/resolve/${encodeURIComponent(revision)}/${file.split('/').map(encodeURIComponent).join('/')}`

const parseHubFile = ({ announced }: HubResponse, revision: string, file: string): HubFile => {
  const commit = announced['x-repo-commit'] ?? revision
  if (!isCommit(commit)) throw new SourceError('does not say which commit it serves')
  const digest = parseDigest(announced['x-linked-etag'] ?? announced.etag)
  if (!digest) throw new SourceError(`announces no digest of ${file}, so that it cannot be checked`)
  const ownSize = announced.location === undefined ? announced['content-length'] : undefined
  const size = announced['x-linked-size'] ?? ownSize ?? ''
  return { commit, digest, size: /^\d{1,15}$/.test(size) ? Number(size) : undefined }
}

const readText = async (body: AsyncIterable<Buffer>): Promise<string> => {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of body) {
    size += chunk.length
    if (size > maxAnswer) throw new SourceError('answers without end')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}

const namesIn = (text: string): readonly string[] => {
  const { siblings = [] } = JSON.parse(text) as { siblings?: readonly { rfilename?: unknown }[] }
  return siblings.map(({ rfilename }) => rfilename).filter((name) => typeof name === 'string')
}

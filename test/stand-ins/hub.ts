/** A server that behaves like the hub, and misbehaves when told to. */

import { createServer } from 'node:http'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gitSha1, sha256 } from './digests.js'

export interface HubFaults {
  /** Cuts the connection after so many bytes, so many times. */
  cutAfter?: number
  cuts?: number
  ignoreRange?: boolean
  /** Announced in place of the right digest. */
  digest?: string
  noDigest?: boolean
  /** Served in place of the right content. */
  content?: Buffer
  /** Status of every answer about files, with an error code. */
  status?: number
  errorCode?: string
  /** Milliseconds between chunks. */
  slow?: number
  /** Where contents are served from, when that is another origin. */
  contentOrigin?: string
  /** Redirects once inside the hub first, as for a repository that was renamed. */
  renamed?: boolean
}

export interface SeenRequest {
  readonly method: string
  readonly url: string
  readonly headers: IncomingMessage['headers']
}

export class HubStandIn {
  readonly requests: SeenRequest[] = []
  faults: HubFaults = {}
  commit = 'c'.repeat(40)
  /** `owner/repository/path` → content. */
  readonly files = new Map<string, Buffer>()
  /** Names of files that go by git's hash. */
  readonly small = new Set<string>()
  private readonly server: Server
  private port = 0

  constructor() {
    this.server = createServer((request, response) => {
      this.requests.push({ method: request.method ?? '', url: request.url ?? '', headers: request.headers })
      void this.answer(request, response)
    })
  }

  async start(): Promise<this> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve))
    this.port = (this.server.address() as AddressInfo).port
    return this
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections()
    await new Promise((resolve) => this.server.close(resolve))
  }

  get origin(): string {
    return `http://127.0.0.1:${this.port}`
  }

  get downloads(): readonly SeenRequest[] {
    return this.requests.filter(({ method, url }) => method === 'GET' && !url.startsWith('/api/'))
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = request.url ?? ''
    if (url.startsWith('/api/models/')) {
      this.answerListing(url, response)
      return
    }
    const [, repository = '', , file = ''] = /^(?:\/moved)?\/([^/]+\/[^/]+)\/resolve\/([^/]+)\/(.*)$/.exec(url) ?? []
    const name = `${repository}/${decodeURIComponent(file)}`
    const content = this.files.get(name)
    const { status, errorCode, renamed, contentOrigin } = this.faults
    if (status !== undefined) {
      response.writeHead(status, errorCode === undefined ? {} : { 'x-error-code': errorCode }).end()
    } else if (!content) {
      response.writeHead(404, { 'x-error-code': 'EntryNotFound' }).end()
    } else if (renamed && !url.startsWith('/moved')) {
      response.writeHead(307, { location: `/moved${url}` }).end()
    } else if (contentOrigin !== undefined) {
      response.writeHead(302, { ...this.announcement(name, content), location: `${contentOrigin}${url}` }).end()
    } else await this.send(request, response, content, this.announcement(name, content))
  }

  private announcement(name: string, content: Buffer): Record<string, string> {
    const digest = this.faults.digest ?? (this.small.has(name) ? gitSha1(content) : sha256(content))
    return {
      'x-repo-commit': this.commit,
      ...(this.faults.noDigest ? {} : { 'x-linked-etag': `"${digest}"` }),
      'x-linked-size': String(content.length),
    }
  }

  private answerListing(url: string, response: ServerResponse): void {
    const repository = url.split('/').slice(3, 5).join('/')
    const names = [...this.files.keys()].filter((name) => name.startsWith(`${repository}/`))
    const siblings = names.map((name) => ({ rfilename: name.slice(repository.length + 1) }))
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ siblings }))
  }

  private async send(
    request: IncomingMessage,
    response: ServerResponse,
    right: Buffer,
    headers: Record<string, string>,
  ): Promise<void> {
    const content = this.faults.content ?? right
    const [, from] = /^bytes=(\d+)-$/.exec(request.headers.range ?? '') ?? []
    const start = from === undefined || this.faults.ignoreRange ? 0 : Number(from)
    if (start >= content.length && start > 0) return void response.writeHead(416, headers).end()
    const range = start ? { 'content-range': `bytes ${start}-${content.length - 1}/${content.length}` } : {}
    response.writeHead(start ? 206 : 200, { ...headers, ...range, 'content-length': content.length - start })
    if (request.method === 'HEAD') return void response.end()
    const { cutAfter, cuts = 0, slow = 0 } = this.faults
    const cut = cutAfter !== undefined && cuts > 0
    if (cut) this.faults.cuts = cuts - 1
    const end = cut ? Math.min(content.length, start + cutAfter) : content.length
    for (let at = start; at < end && !response.destroyed; at += 65_536) {
      response.write(content.subarray(at, Math.min(end, at + 65_536)))
      await new Promise((resolve) => setTimeout(resolve, slow))
    }
    if (cut) response.destroy()
    else response.end()
  }
}

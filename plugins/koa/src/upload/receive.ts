/** Takes a form with a file apart while it arrives: the file goes to disk, its fields are small. */

import { createWriteStream } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Busboy } from '@fastify/busboy'
import type { BusboyInstance } from '@fastify/busboy'
import { failure, isSallyportError, systemCode } from '@sallyport/core'
import { refuseCompressed } from '../body/read.js'
import { diskFailure } from '../storage-full.js'
import { maxFieldBytes } from './fields.js'
import type { FormFields } from './fields.js'

export interface UploadedFile {
  /** Where it lies; its name says nothing. */
  readonly path: string
  /** The last part of the name that the client gave. */
  readonly name: string
  readonly bytes: number
}

export interface ReceivedForm {
  /** The texts of each known field, in their order. */
  readonly fields: ReadonlyMap<string, readonly string[]>
  readonly file: UploadedFile | undefined
}

export interface ReceiveOptions {
  /** An empty directory of the request. */
  readonly folder: string
  /** Bytes of the file. */
  readonly limit: number
  /** Seconds in which something must arrive. */
  readonly patience: number
  readonly fields: FormFields
  /** Told of the bytes of each field that is kept. @throws overloaded, rate_limited */
  readonly hold: (bytes: number) => void
}

/** The field that the file stands in. */
const fileField = 'file'

const limits = { files: 1, fields: 64, parts: 66, fieldSize: maxFieldBytes, headerPairs: 32, headerSize: 8 * 1024 }

/**
 * Resolves when all of it has come. What is not taken is left unread: whoever answers closes the connection.
 * @throws unsupported_media, payload_too_large, invalid_request, request_timeout, client_closed, overloaded,
 * rate_limited, insufficient_storage
 */
export const receiveForm = async (request: IncomingMessage, options: ReceiveOptions): Promise<ReceivedForm> => {
  const parser = parserFor(request, options.limit)
  const form = new Form(options)
  const problems = new Problems()
  parser.on('file', (field: string | undefined, content: Readable, name: string | undefined) => {
    void form.take(field, content, name).catch(problems.found)
  })
  parser.on('field', (field: string | undefined, text: string, _: boolean, truncated: boolean) => {
    problems.try(() => form.add(field, text, truncated))
  })
  parser.on('filesLimit', () => problems.found(refused(fileField, 'there are several files: send one')))
  for (const limit of ['partsLimit', 'fieldsLimit'] as const)
    parser.on(limit, () => problems.found(failure('invalid_request', { problem: 'the form has too many fields' })))
  const idle = new Idle(request, options.patience, problems.found)
  request.once('close', () => {
    if (!request.complete) problems.found(failure('client_closed', {}))
  })
  try {
    await Promise.race([problems.first, parsed(request, parser)])
    await Promise.race([problems.first, form.written])
    return form
  } catch (error) {
    request.unpipe(parser)
    parser.destroy()
    await form.drop()
    throw describe(error)
  } finally {
    idle.stop()
  }
}

const parsed = (request: IncomingMessage, parser: BusboyInstance): Promise<void> =>
  new Promise((resolve, reject) => {
    parser.once('finish', resolve).once('error', reject)
    request.once('error', () => reject(failure('client_closed', {})))
    request.pipe(parser)
  })

const parserFor = ({ headers }: IncomingMessage, limit: number): BusboyInstance => {
  refuseCompressed(headers)
  const { 'content-type': type = '', 'content-length': length = 0 } = headers
  if (!/^multipart\/form-data\s*(?:;|$)/i.test(type.trim()))
    throw failure('unsupported_media', { problem: 'the content type must be multipart/form-data' })
  if (Number(length) > limit + maxRestBytes) throw tooLarge(limit)
  try {
    return Busboy({ headers: { ...headers, 'content-type': type }, limits: { ...limits, fileSize: limit } })
  } catch (cause) {
    throw failure('invalid_request', { problem: 'the content type says no boundary between the parts' }, { cause })
  }
}

/** Bytes of a form beside its file. */
const maxRestBytes = limits.fields * limits.fieldSize + limits.parts * limits.headerSize

/** What has come of a form. */
class Form implements ReceivedForm {
  readonly fields = new Map<string, string[]>()
  file: UploadedFile | undefined
  written: Promise<void> = Promise.resolve()
  private content: Readable | undefined

  constructor(private readonly options: ReceiveOptions) {}

  /** @throws invalid_request, and what `hold` throws */
  add(field: string | undefined, text: string, truncated: boolean): void {
    if (!field) throw failure('invalid_request', { problem: 'a part of the form has no name' })
    if (truncated) throw refused(field, `must have at most ${maxFieldBytes} bytes`)
    if (field === fileField) throw refused(field, 'must be a file: give the part a file name')
    const name = this.options.fields.nameOf(field, text)
    if (name === undefined) return
    this.options.hold(Buffer.byteLength(text))
    this.fields.set(name, [...(this.fields.get(name) ?? []), text])
  }

  /** Writes the file. @throws invalid_request, payload_too_large, and what the disk says */
  async take(field: string | undefined, content: Readable, name = ''): Promise<void> {
    if (field !== fileField) {
      content.resume()
      throw refused(field ?? '', `is a file, but the file must be in the field "${fileField}"`)
    }
    const { folder, limit } = this.options
    const path = join(folder, 'upload')
    this.content = content
    content.once('limit', () => content.destroy(tooLarge(limit)))
    const target = createWriteStream(path, { flags: 'wx', mode: 0o600 })
    this.written = pipeline(content, target)
    await this.written
    this.file = { path, name: shownName(name), bytes: target.bytesWritten }
  }

  /** Lets go of the file on disk. */
  async drop(): Promise<void> {
    this.content?.destroy(failure('client_closed', {}))
    await this.written.catch(() => undefined)
  }
}

const maxNameLength = 255

/** The last step of a path, of either kind of system, without control characters. */
const shownName = (name: string): string => {
  const last = name.split(/[/\\]/).at(-1) ?? ''
  const clean = last.replace(/\p{Cc}/gu, '').trim()
  return clean === '' || clean === '.' || clean === '..' ? 'file' : Array.from(clean).slice(-maxNameLength).join('')
}

/** The first of several things that go wrong. */
class Problems {
  readonly first: Promise<never>
  private reject: (error: unknown) => void = () => undefined

  constructor() {
    this.first = new Promise((_, reject) => (this.reject = reject))
    this.first.catch(() => undefined)
  }

  readonly found = (error: unknown): void => this.reject(error)

  try(run: () => void): void {
    try {
      run()
    } catch (error) {
      this.reject(error)
    }
  }
}

/** Notices a client that sends nothing any more. */
class Idle {
  private readonly timer: NodeJS.Timeout
  private readonly refresh = () => this.timer.refresh()

  constructor(
    private readonly request: IncomingMessage,
    seconds: number,
    found: (error: Error) => void,
  ) {
    this.timer = setTimeout(() => found(failure('request_timeout', {})), seconds * 1000)
    request.on('data', this.refresh)
  }

  stop(): void {
    clearTimeout(this.timer)
    this.request.off('data', this.refresh)
  }
}

const refused = (field: string, problem: string) => failure('invalid_request', { ...(field && { field }), problem })

const tooLarge = (limit: number) => failure('payload_too_large', { limit: `${limit} bytes (server.limits.upload)` })

const describe = (error: unknown): Error => {
  if (isSallyportError(error)) return error
  if (systemCode(error) !== undefined) return diskFailure(error)
  return failure(
    'invalid_request',
    { problem: 'the form is broken: it ends early, or is not what its boundary says' },
    { cause: error },
  )
}

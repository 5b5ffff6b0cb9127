/** Parses a form while it arrives: its file goes to disk, its small fields stay in memory. */

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
  /** The path on disk, which does not depend on the client's name. */
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
  /** An empty directory for the file. */
  readonly directory: string
  /** Maximum bytes of the file. */
  readonly maxFileBytes: number
  /** The longest pause within the request, in seconds. */
  readonly idleSeconds: number
  readonly fields: FormFields
  /** Reserves the bytes of each known field. @throws overloaded, rate_limited */
  readonly reserve: (bytes: number) => void
}

const fileField = 'file'

/**
 * Bytes of a part that the parser buffers. Parts that it skips, without a name or with one beyond `headerSize`, are
 * drained only between two writes: a single write, at most the 64 kB that a socket brings at once, must not fill it.
 */
const fileHwm = 256 * 1024

const limits = { files: 1, fields: 64, parts: 66, fieldSize: maxFieldBytes, headerPairs: 32, headerSize: 8 * 1024 }

/**
 * Resolves when the whole form has arrived. After an error the rest stays unread, and the answer closes the connection.
 * @throws unsupported_media, payload_too_large, invalid_request, request_timeout, client_closed, overloaded,
 * rate_limited, insufficient_storage
 */
export const receiveForm = async (request: IncomingMessage, options: ReceiveOptions): Promise<ReceivedForm> => {
  const parser = parserFor(request, options.maxFileBytes)
  const form = new Form(options)
  let timer: NodeJS.Timeout | undefined
  const refresh = () => timer?.refresh()
  try {
    await new Promise<void>((resolve, reject) => {
      timer = setTimeout(() => reject(failure('request_timeout', {})), options.idleSeconds * 1000)
      request.on('data', refresh)
      request.once('error', () => reject(failure('client_closed', {})))
      request.once('close', () => {
        if (!request.complete) reject(failure('client_closed', {}))
      })
      fillForm(form, parser, reject)
      parser.once('error', reject).once('finish', () => void form.written.then(resolve, reject))
      request.pipe(parser)
    })
    return form
  } catch (error) {
    request.unpipe(parser)
    parser.destroy()
    await form.discard()
    throw formError(error)
  } finally {
    clearTimeout(timer)
    request.off('data', refresh)
  }
}

const fillForm = (form: Form, parser: BusboyInstance, reject: (error: unknown) => void): void => {
  parser.on('file', (field: string | undefined, content: Readable, name: string | undefined) => {
    void form.writeFile(field, content, name).catch(reject)
  })
  parser.on('field', (field: string | undefined, text: string, _: boolean, truncated: boolean) => {
    try {
      form.add(field, text, truncated)
    } catch (error) {
      reject(error)
    }
  })
  parser.on('filesLimit', () => reject(invalidPart(fileField, 'there are several files: send one')))
  for (const limit of ['partsLimit', 'fieldsLimit'] as const)
    parser.on(limit, () => reject(failure('invalid_request', { problem: 'the form has too many fields' })))
}

const parserFor = ({ headers }: IncomingMessage, limit: number): BusboyInstance => {
  refuseCompressed(headers)
  const { 'content-type': type = '', 'content-length': length = 0 } = headers
  if (!/^multipart\/form-data\s*(?:;|$)/i.test(type.trim()))
    throw failure('unsupported_media', { problem: 'the content type must be multipart/form-data' })
  if (Number(length) > limit + maxOverheadBytes) throw tooLarge(limit)
  try {
    return Busboy({ headers: { ...headers, 'content-type': type }, limits: { ...limits, fileSize: limit }, fileHwm })
  } catch (cause) {
    throw failure('invalid_request', { problem: 'the content type has no boundary parameter' }, { cause })
  }
}

/** Maximum bytes of a form beside its file. */
const maxOverheadBytes = limits.fields * limits.fieldSize + limits.parts * limits.headerSize

/** The part of a form that has arrived. */
class Form implements ReceivedForm {
  readonly fields = new Map<string, string[]>()
  file: UploadedFile | undefined
  written: Promise<void> = Promise.resolve()
  private content: Readable | undefined

  constructor(private readonly options: ReceiveOptions) {}

  /** @throws invalid_request, and what `reserve` throws */
  add(field: string | undefined, text: string, truncated: boolean): void {
    if (!field) throw failure('invalid_request', { problem: 'a part of the form has no name' })
    if (truncated) throw invalidPart(field, `must have at most ${maxFieldBytes} bytes`)
    if (field === fileField) throw invalidPart(field, 'must be a file: give the part a file name')
    const name = this.options.fields.nameOf(field, text)
    if (name === undefined) return
    this.options.reserve(Buffer.byteLength(text))
    this.fields.set(name, [...(this.fields.get(name) ?? []), text])
  }

  /** Writes the file. @throws invalid_request, payload_too_large, and file system errors */
  async writeFile(field: string | undefined, content: Readable, name = ''): Promise<void> {
    if (field !== fileField) {
      content.resume()
      throw invalidPart(field ?? '', `is a file, but the file must be in the field "${fileField}"`)
    }
    const { directory, maxFileBytes } = this.options
    const path = join(directory, 'upload')
    this.content = content
    content.once('limit', () => content.destroy(tooLarge(maxFileBytes)))
    const target = createWriteStream(path, { flags: 'wx', mode: 0o600 })
    this.written = pipeline(content, target)
    await this.written
    this.file = { path, name: safeFileName(name), bytes: target.bytesWritten }
  }

  async discard(): Promise<void> {
    this.content?.destroy(failure('client_closed', {}))
    await this.written.catch(() => undefined)
  }
}

const maxNameLength = 255

/** The last segment of a path, with either kind of slash, without control characters. */
const safeFileName = (name: string): string => {
  const last = name.split(/[/\\]/).at(-1) ?? ''
  const clean = last.replace(/\p{Cc}/gu, '').trim()
  return clean === '' || clean === '.' || clean === '..' ? 'file' : Array.from(clean).slice(-maxNameLength).join('')
}

const invalidPart = (field: string, problem: string) => failure('invalid_request', { ...(field && { field }), problem })

const tooLarge = (limit: number) => failure('payload_too_large', { limit: `${limit} bytes (server.limits.upload)` })

const formError = (error: unknown): Error => {
  if (isSallyportError(error)) return error
  if (systemCode(error) !== undefined) return diskFailure(error)
  const problem = 'the form is broken: it ends early, or is not what its boundary says'
  return failure('invalid_request', { problem }, { cause: error })
}

import type { IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { resolve } from 'node:path'
import { failure, isSallyportError, systemCode } from '@sallyport/core'
import type { RequestedChecks, Kernel } from '@sallyport/core'
import type { JsonObject } from '../schemas/schema.js'
import { ByteBudget } from '../limits/byte-budget.js'
import type { ByteReservation } from '../limits/byte-budget.js'
import { maxPerKey } from '../limits/admission.js'
import type { ServerOptions } from '../options.js'
import { maxFieldBytes } from './fields.js'
import type { FormFields } from './fields.js'
import { sweepUploadDirectories, UploadDirectory } from './upload-directory.js'
import { receiveForm } from './receive.js'
import type { ReceivedForm, UploadedFile } from './receive.js'
import { headerSafeguards } from './header-safeguards.js'

/** The parts of a form request that are not fields of its body. */
export interface Upload {
  readonly file: UploadedFile | undefined
  /** The checks that its headers request. */
  readonly safeguards: RequestedChecks | undefined
}

export interface ReceivedUpload {
  readonly body: JsonObject
  readonly upload: Upload
}

/** Receives forms with files, bounds their bytes on disk and in memory, and removes them afterwards. */
export class Uploads {
  private readonly disk: ByteBudget
  private readonly parent: string
  private swept: Promise<void> | undefined

  constructor(
    private readonly kernel: Kernel,
    private readonly options: Pick<ServerOptions, 'limits' | 'timeouts' | 'uploadDirectory'>,
    /** The budget for the form fields, which are held in memory. */
    private readonly memory: ByteBudget,
    /** Whether authentication is on, so that one key may not take the whole budget. */
    isAuthenticated: boolean,
  ) {
    const { upload, uploads } = options.limits
    this.disk = new ByteBudget({ maxEach: upload, maxTotal: uploads }, isAuthenticated ? maxPerKey(uploads) : uploads)
    this.parent = resolve(options.uploadDirectory ?? tmpdir())
  }

  /**
   * Checks whether the directory of the options can be written to, and begins to remove what killed processes left.
   * @throws config_invalid
   */
  async prepare(): Promise<void> {
    if (this.options.uploadDirectory !== undefined) await this.probe()
    this.sweep()
  }

  /**
   * Receives a form, runs the work with it, and removes its file when the work has ended.
   * @throws what receiveForm throws, overloaded, rate_limited, and what the work throws
   */
  async with<Result>(
    request: IncomingMessage,
    form: FormFields,
    tenant: string,
    work: (received: ReceivedUpload) => Promise<Result>,
  ): Promise<Result> {
    const safeguards = headerSafeguards(request.headers, this.kernel)
    const reservations = { disk: this.disk.reserveBody(request, tenant), memory: this.memory.newReservation(tenant) }
    try {
      this.sweep()
      const directory = await UploadDirectory.make(this.parent)
      try {
        const received = await this.receive(request, directory.path, form, reservations)
        return await work({ body: form.bodyOf(received.fields), upload: { file: received.file, safeguards } })
      } finally {
        await directory.remove()
      }
    } finally {
      reservations.disk.release()
      reservations.memory.release()
    }
  }

  private async receive(
    request: IncomingMessage,
    directory: string,
    fields: FormFields,
    { disk, memory }: Readonly<Record<'disk' | 'memory', ByteReservation>>,
  ): Promise<ReceivedForm> {
    const { limits, timeouts } = this.options
    let fieldBytes = 0
    const reserve = (bytes: number) => {
      memory.grow(bytes)
      fieldBytes += bytes
    }
    // Reserves room for the field that the parser is still collecting.
    memory.grow(maxFieldBytes)
    const [maxFileBytes, idleSeconds] = [limits.upload, timeouts.body]
    const received = await receiveForm(request, { directory, maxFileBytes, idleSeconds, fields, reserve })
    memory.resize(fieldBytes)
    disk.resize(received.file?.bytes ?? 0)
    return received
  }

  private async probe(): Promise<void> {
    try {
      await (await UploadDirectory.make(this.parent)).remove()
    } catch (error) {
      if (isSallyportError(error) && error.code === 'insufficient_storage') return
      const { cause } = error as Error
      const problem = `${this.parent} is not a writable directory (${systemCode(cause) ?? 'unknown'}): make it, or name another one`
      const details = { where: 'server.uploadDirectory', problem, option: ['uploadDirectory'] }
      throw failure('config_invalid', details, { cause })
    }
  }

  private sweep(): void {
    this.swept ??= sweepUploadDirectories(this.parent)
  }
}

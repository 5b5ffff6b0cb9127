import type { IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { resolve } from 'node:path'
import { failure, isSallyportError, systemCode } from '@sallyport/core'
import type { CallerSafeguards, Kernel } from '@sallyport/core'
import type { JsonObject } from '../schemas/schema.js'
import { ByteBudget } from '../limits/byte-budget.js'
import type { ByteReservation } from '../limits/byte-budget.js'
import { maxPerKey } from '../limits/admission.js'
import type { ServerOptions } from '../options.js'
import { maxFieldBytes } from './fields.js'
import type { FormFields } from './fields.js'
import { sweepFolders, UploadFolder } from './folder.js'
import { receiveForm } from './receive.js'
import type { ReceivedForm, UploadedFile } from './receive.js'
import { headerSafeguards } from './header-safeguards.js'

/** The parts of a form request that are not fields of its body. */
export interface Upload {
  readonly file: UploadedFile | undefined
  /** The checks that its headers request. */
  readonly safeguards: CallerSafeguards | undefined
}

/** A form that has arrived. */
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
    /** For their fields. */
    private readonly memory: ByteBudget,
    /** Whether there are several keys. */
    isShared: boolean,
  ) {
    const { upload, uploads } = options.limits
    this.disk = new ByteBudget({ body: upload, bodies: uploads }, isShared ? maxPerKey(uploads) : uploads)
    this.parent = resolve(options.uploadDirectory ?? tmpdir())
  }

  /**
   * Looks whether the directory of the options can be written to, and begins to remove what killed processes left.
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
    const places = { disk: this.disk.reserveBody(request, tenant), memory: this.memory.open(tenant) }
    try {
      this.sweep()
      const folder = await UploadFolder.make(this.parent)
      try {
        const received = await this.receive(request, folder.path, form, places)
        return await work({ body: form.bodyOf(received.fields), upload: { file: received.file, safeguards } })
      } finally {
        await folder.remove()
      }
    } finally {
      places.disk.release()
      places.memory.release()
    }
  }

  private async receive(
    request: IncomingMessage,
    folder: string,
    fields: FormFields,
    { disk, memory }: Readonly<Record<'disk' | 'memory', ByteReservation>>,
  ): Promise<ReceivedForm> {
    const { limits, timeouts } = this.options
    let kept = 0
    const reserve = (bytes: number) => {
      memory.grow(bytes)
      kept += bytes
    }
    // what the parser holds of a field that is not there yet
    memory.grow(maxFieldBytes)
    const received = await receiveForm(request, {
      folder,
      limit: limits.upload,
      idleSeconds: timeouts.body,
      fields,
      reserve,
    })
    memory.resize(kept)
    disk.resize(received.file?.bytes ?? 0)
    return received
  }

  private async probe(): Promise<void> {
    try {
      await (await UploadFolder.make(this.parent)).remove()
    } catch (error) {
      if (isSallyportError(error) && error.code === 'insufficient_storage') return
      const { cause } = error as Error
      const problem = `${this.parent} is no directory that can be written to (${systemCode(cause) ?? 'unknown'}): make it, or name another one`
      throw failure(
        'config_invalid',
        { where: 'server.uploadDirectory', problem, option: ['uploadDirectory'] },
        { cause },
      )
    }
  }

  private sweep(): void {
    this.swept ??= sweepFolders(this.parent)
  }
}

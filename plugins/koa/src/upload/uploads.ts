import type { IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { resolve } from 'node:path'
import { failure, isSallyportError, systemCode } from '@sallyport/core'
import type { CallerSafeguards, Kernel } from '@sallyport/core'
import type { JsonObject } from '../schemas/schema.js'
import { BodyRoom } from '../limits/body-room.js'
import type { BodyPlace } from '../limits/body-room.js'
import { shareOf } from '../limits/admission.js'
import type { ServerOptions } from '../options.js'
import { maxFieldBytes } from './fields.js'
import type { FormFields } from './fields.js'
import { sweepFolders, UploadFolder } from './folder.js'
import { receiveForm } from './receive.js'
import type { ReceivedForm, UploadedFile } from './receive.js'
import { safeguardsOf } from './header-wishes.js'

/** What a request with a form brings besides its fields. */
export interface Upload {
  readonly file: UploadedFile | undefined
  /** What its headers ask for. */
  readonly safeguards: CallerSafeguards | undefined
}

/** What a form has brought. */
export interface Received {
  readonly body: JsonObject
  readonly upload: Upload
}

/** Takes forms with files: bounds what is on disk and in memory, and leaves nothing there. */
export class Uploads {
  private readonly disk: BodyRoom
  private readonly parent: string
  private swept: Promise<void> | undefined

  constructor(
    private readonly kernel: Kernel,
    private readonly options: Pick<ServerOptions, 'limits' | 'timeouts' | 'uploadDirectory'>,
    /** For their fields. */
    private readonly memory: BodyRoom,
    /** Whether there are several keys. */
    isShared: boolean,
  ) {
    const { upload, uploads } = options.limits
    this.disk = new BodyRoom({ body: upload, bodies: uploads }, isShared ? shareOf(uploads) : uploads)
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
   * Runs the work with what has come, and removes it when the work has ended.
   * @throws what receiveForm throws, overloaded, rate_limited, and what the work throws
   */
  async with<Result>(
    request: IncomingMessage,
    form: FormFields,
    tenant: string,
    work: (received: Received) => Promise<Result>,
  ): Promise<Result> {
    const safeguards = safeguardsOf(request.headers, this.kernel)
    const places = { disk: this.disk.enter(request, tenant), memory: this.memory.open(tenant) }
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
      places.disk.leave()
      places.memory.leave()
    }
  }

  private async receive(
    request: IncomingMessage,
    folder: string,
    fields: FormFields,
    { disk, memory }: Readonly<Record<'disk' | 'memory', BodyPlace>>,
  ): Promise<ReceivedForm> {
    const { limits, timeouts } = this.options
    let kept = 0
    const hold = (bytes: number) => {
      memory.more(bytes)
      kept += bytes
    }
    // what the parser holds of a field that is not there yet
    memory.more(maxFieldBytes)
    const received = await receiveForm(request, { folder, limit: limits.upload, patience: timeouts.body, fields, hold })
    memory.arrived(kept)
    disk.arrived(received.file?.bytes ?? 0)
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

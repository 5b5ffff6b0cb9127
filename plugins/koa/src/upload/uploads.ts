import type { Kernel } from '@sallyport/core'
import type { IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import type { JsonObject } from '../body/parse.js'
import { BodyRoom } from '../limits/body-room.js'
import { shareOf } from '../limits/share.js'
import type { ServerOptions } from '../options.js'
import type { Upload } from '../routes/exchange.js'
import type { FormSchema } from '../routes/route.js'
import { bodyOf } from './fields.js'
import { makeFolder, removeFolder, sweepFolders } from './folder.js'
import { receiveForm } from './receive.js'
import { safeguardsOf } from './safeguards.js'

/** What a form has brought. */
export interface Received {
  readonly body: JsonObject
  readonly upload: Upload
}

/** Takes forms with files: bounds what is on disk, and leaves nothing there. */
export class Uploads {
  private readonly room: BodyRoom
  private readonly parent: string
  private swept: Promise<void> | undefined

  constructor(
    private readonly kernel: Kernel,
    private readonly options: Pick<ServerOptions, 'limits' | 'timeouts' | 'uploadDirectory'>,
    /** Whether there are several keys. */
    isShared: boolean,
  ) {
    const { upload, uploads } = options.limits
    this.room = new BodyRoom({ body: upload, bodies: uploads }, isShared ? shareOf(uploads) : uploads)
    this.parent = options.uploadDirectory ?? tmpdir()
  }

  /**
   * Runs the work with what has come, and removes it when the work has ended.
   * @throws what receiveForm throws, overloaded, rate_limited, and what the work throws
   */
  async with<Result>(
    request: IncomingMessage,
    form: FormSchema,
    tenant: string,
    work: (received: Received) => Promise<Result>,
  ): Promise<Result> {
    const { limits, timeouts } = this.options
    const safeguards = safeguardsOf(request.headers, this.kernel)
    const place = this.room.enter(request, tenant)
    try {
      await (this.swept ??= sweepFolders(this.parent))
      const folder = await makeFolder(this.parent)
      try {
        const received = await receiveForm(request, { folder, limit: limits.upload, patience: timeouts.body })
        place.arrived(received.file?.bytes ?? 0)
        const upload = { file: received.file, safeguards }
        return await work({ body: bodyOf(received, form.schema, form.aliases), upload })
      } finally {
        await removeFolder(folder)
      }
    } finally {
      place.leave()
    }
  }
}

/** Where an uploaded file is while its request is worked on. */

import { mkdtemp, readdir, rm, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { diskFailure } from '../storage-full.js'

const prefix = 'sallyport-upload-'

/** Milliseconds between two signs of life of a folder that is in use. */
const beat = 30_000
/** Milliseconds without one after which nobody uses a folder: more than an event loop is ever held. */
const patience = 6 * beat

/**
 * A directory that only this process's user may enter. Its time of change moves on while it is in use, which says to
 * all that share the parent, in other containers, too, that it is: neither process ids nor clocks mean anything there.
 */
export class UploadFolder {
  private readonly timer: NodeJS.Timeout

  private constructor(
    readonly path: string,
    interval: number,
  ) {
    this.timer = setInterval(() => void this.showLife(), interval).unref()
  }

  /** @throws insufficient_storage where the disk is full, internal */
  static async make(parent: string, interval = beat): Promise<UploadFolder> {
    try {
      return new UploadFolder(await mkdtemp(join(parent, prefix)), interval)
    } catch (error) {
      throw diskFailure(error)
    }
  }

  async remove(): Promise<void> {
    clearInterval(this.timer)
    await removeAll(this.path)
  }

  private async showLife(): Promise<void> {
    const now = new Date()
    await utimes(this.path, now, now).catch(() => undefined)
  }
}

/** Removes what killed processes left: what shows no life while it is watched. What belongs to another user stays. */
export const sweepFolders = async (parent: string, watched = patience): Promise<void> => {
  const before = await timesIn(parent)
  if (before.size === 0) return
  await delay(watched, undefined, { ref: false })
  const after = await timesIn(parent)
  const left = [...before].filter(([name, time]) => after.get(name) === time)
  await Promise.allSettled(left.map(([name]) => removeAll(join(parent, name))))
}

const removeAll = (folder: string): Promise<void> => rm(folder, { recursive: true, force: true })

/** When each folder showed life, by its name. */
const timesIn = async (parent: string): Promise<ReadonlyMap<string, number>> => {
  const names = (await readdir(parent).catch(() => [])).filter((name) => name.startsWith(prefix))
  const times = await Promise.allSettled(
    names.map(async (name) => [name, (await stat(join(parent, name))).mtimeMs] as const),
  )
  return new Map(times.flatMap((time) => (time.status === 'fulfilled' ? [time.value] : [])))
}

/** Directories of uploaded files, which exist as long as their requests run. */

import { mkdtemp, readdir, rm, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { diskFailure } from '../storage-full.js'

const prefix = 'sallyport-upload-'

/** Milliseconds between two heartbeats of a folder in use. */
const heartbeatInterval = 30_000
/** Milliseconds without a heartbeat after which a folder counts as abandoned; no event loop is blocked for so long. */
const abandonedAfter = 6 * heartbeatInterval

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
    this.timer = setInterval(() => void this.heartbeat(), interval).unref()
  }

  /** @throws insufficient_storage where the disk is full, internal */
  static async make(parent: string, interval = heartbeatInterval): Promise<UploadFolder> {
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

  private async heartbeat(): Promise<void> {
    const now = new Date()
    await utimes(this.path, now, now).catch(() => undefined)
  }
}

/** Removes the folders that killed processes left: those without a heartbeat in the meantime. Those of other users stay. */
export const sweepFolders = async (parent: string, watchTime = abandonedAfter): Promise<void> => {
  const before = await heartbeatsIn(parent)
  if (before.size === 0) return
  await delay(watchTime, undefined, { ref: false })
  const after = await heartbeatsIn(parent)
  const left = [...before].filter(([name, time]) => after.get(name) === time)
  await Promise.allSettled(left.map(([name]) => removeAll(join(parent, name))))
}

const removeAll = (folder: string): Promise<void> => rm(folder, { recursive: true, force: true })

/** The time of each folder's last heartbeat, by its name. */
const heartbeatsIn = async (parent: string): Promise<ReadonlyMap<string, number>> => {
  const names = (await readdir(parent).catch(() => [])).filter((name) => name.startsWith(prefix))
  const times = await Promise.allSettled(
    names.map(async (name) => [name, (await stat(join(parent, name))).mtimeMs] as const),
  )
  return new Map(times.flatMap((time) => (time.status === 'fulfilled' ? [time.value] : [])))
}

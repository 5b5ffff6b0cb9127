/** Directories of uploaded files, which exist as long as their requests run. */

import { mkdtemp, readdir, rm, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { diskFailure } from '../storage-full.js'

const prefix = 'sallyport-upload-'

/** Milliseconds between two heartbeats of a directory in use. */
const heartbeatInterval = 30_000
/**
 * Milliseconds without a heartbeat after which a directory counts as abandoned; no event loop is blocked for so long.
 */
const abandonedAfter = 6 * heartbeatInterval

/**
 * A directory that only this process's user may enter. While it is in use, a heartbeat updates its modification time.
 * Other processes that share the parent, even in other containers, see this; neither process ids nor clocks could be
 * compared across containers.
 */
export class UploadDirectory {
  private readonly timer: NodeJS.Timeout

  private constructor(
    readonly path: string,
    interval: number,
  ) {
    this.timer = setInterval(() => void this.heartbeat(), interval).unref()
  }

  /** @throws insufficient_storage where the disk is full, internal */
  static async make(parent: string, interval = heartbeatInterval): Promise<UploadDirectory> {
    try {
      return new UploadDirectory(await mkdtemp(join(parent, prefix)), interval)
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

/**
 * Removes the directories that killed processes left: those without a heartbeat for a while. Those of other users stay.
 */
export const sweepUploadDirectories = async (parent: string, watchTime = abandonedAfter): Promise<void> => {
  const before = await heartbeatsIn(parent)
  if (before.size === 0) return
  await delay(watchTime, undefined, { ref: false })
  const after = await heartbeatsIn(parent)
  const abandoned = [...before].filter(([name, time]) => after.get(name) === time)
  await Promise.allSettled(abandoned.map(([name]) => removeAll(join(parent, name))))
}

const removeAll = (path: string): Promise<void> => rm(path, { recursive: true, force: true })

/** The time of each directory's last heartbeat, by its name. */
const heartbeatsIn = async (parent: string): Promise<ReadonlyMap<string, number>> => {
  const names = (await readdir(parent).catch(() => [])).filter((name) => name.startsWith(prefix))
  const times = await Promise.allSettled(
    names.map(async (name) => [name, (await stat(join(parent, name))).mtimeMs] as const),
  )
  return new Map(times.flatMap((time) => (time.status === 'fulfilled' ? [time.value] : [])))
}

/** Where uploaded files are while their request is worked on. */

import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { systemCode } from '@sallyport/core'

const prefix = 'sallyport-upload-'

/** A directory that only this process's user may enter. @returns its path */
export const makeFolder = (parent: string): Promise<string> => mkdtemp(join(parent, `${prefix}${process.pid}-`))

export const removeFolder = (folder: string): Promise<void> => rm(folder, { recursive: true, force: true })

/** Removes what processes left that were killed; what belongs to another user stays. */
export const sweepFolders = async (parent: string): Promise<void> => {
  const names = await readdir(parent).catch(() => [])
  const left = names.filter((name) => {
    const [, pid] = /^sallyport-upload-(\d+)-/.exec(name) ?? []
    return pid !== undefined && !isRunning(Number(pid))
  })
  await Promise.allSettled(left.map((name) => removeFolder(join(parent, name))))
}

const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return systemCode(error) !== 'ESRCH'
  }
}

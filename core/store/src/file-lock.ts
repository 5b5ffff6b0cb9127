import { randomUUID } from 'node:crypto'
import { readlinkSync } from 'node:fs'
import { link, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { systemCode } from '@sallyport/core'

/** A holder that cannot be asked is taken for dead after this many milliseconds without a sign of life. */
const staleAfter = 30_000
const signOfLifeEvery = 5_000

interface Holder {
  readonly token: string
  readonly pid: number
  readonly machine: string
}

/**
 * A lock between processes: a file that is there while it is held. A holder that died is noticed at once on the same
 * machine, elsewhere by its silence. It installs no signal handlers, since those would be everybody's.
 */
export class FileLock {
  private readonly timer: NodeJS.Timeout
  private held = true

  private constructor(
    private readonly path: string,
    private readonly token: string,
    private readonly onLost: () => void,
  ) {
    this.timer = setInterval(() => void this.showLife(), signOfLifeEvery)
    this.timer.unref()
  }

  /** @returns undefined when another holds it, or did until now. @param onLost called when it was taken away */
  static async tryAcquire(path: string, onLost: () => void): Promise<FileLock | undefined> {
    const token = randomUUID()
    const holder: Holder = { token, pid: process.pid, machine: thisMachine() }
    try {
      await writeFile(path, JSON.stringify(holder), { flag: 'wx', mode: 0o600 })
      return new FileLock(path, token, onLost)
    } catch (error) {
      if (systemCode(error) !== 'EEXIST') throw error
      await removeIfDead(path)
      return undefined
    }
  }

  async release(): Promise<void> {
    clearInterval(this.timer)
    if (this.held && (await readHolder(this.path))?.token === this.token) await rm(this.path, { force: true })
    this.held = false
  }

  private async showLife(): Promise<void> {
    const taken = await this.wasTaken()
    if (!this.held) return
    if (!taken) {
      const now = new Date()
      await utimes(this.path, now, now).catch(() => undefined)
      return
    }
    this.held = false
    clearInterval(this.timer)
    this.onLost()
  }

  /** Another holds it, or nobody. That it cannot be read just now (too many open files) says neither. */
  private async wasTaken(): Promise<boolean> {
    try {
      return parseHolder(await readFile(this.path, 'utf8'))?.token !== this.token
    } catch (error) {
      return systemCode(error) === 'ENOENT'
    }
  }
}

const removeIfDead = async (path: string): Promise<void> => {
  const holder = await readHolder(path)
  const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Date.now() }))
  const silent = Date.now() - mtimeMs > staleAfter
  const dead = holder?.machine === thisMachine() && !isAlive(holder.pid)
  if (!silent && !dead) return
  const aside = `${path}.${randomUUID()}`
  const moved = await rename(path, aside).then(
    () => true,
    () => false,
  )
  if (!moved) return
  // Another process may have done the same and hold the lock since: give it back.
  const another = (await readHolder(aside))?.token !== holder?.token
  if (another) await link(aside, path).catch(() => undefined)
  await rm(aside, { force: true })
}

const readHolder = async (path: string): Promise<Holder | undefined> => {
  const text = await readFile(path, 'utf8').catch(() => undefined)
  return text === undefined ? undefined : parseHolder(text)
}

const parseHolder = (text: string): Holder | undefined => {
  try {
    return JSON.parse(text) as Holder
  } catch {
    return undefined
  }
}

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return systemCode(error) !== 'ESRCH'
  }
}

let machine: string | undefined

/** Where process ids mean the same. */
const thisMachine = (): string => (machine ??= `${hostname()} ${processNamespace()}`)

const processNamespace = (): string => {
  try {
    return readlinkSync('/proc/self/ns/pid')
  } catch {
    return process.platform
  }
}

import { close, fdatasync, fsync, fstatSync, ftruncate, open, openSync, write } from 'node:fs'
import { dirname } from 'node:path'
import { promisify } from 'node:util'

// A FileHandle would take more of the processor for each write.
const calls = {
  open: promisify(open),
  write: promisify(write),
  truncate: promisify(ftruncate),
  sync: promisify(fdatasync),
  syncDirectory: promisify(fsync),
  close: promisify(close),
}

/** A file that grows by whole texts: what could be written in part only is taken back. */
export class AppendFile {
  private torn = false

  private constructor(
    private readonly descriptor: number,
    private readonly sync: boolean,
    private size: number,
  ) {}

  /** Opens a file, or makes one that only its owner can read. @param sync whether texts must reach the disk */
  static open(path: string, sync: boolean): AppendFile {
    const descriptor = openSync(path, 'a', 0o600)
    return new AppendFile(descriptor, sync, fstatSync(descriptor).size)
  }

  /** Makes a file whose name reaches the disk, too, where its texts must. */
  static async create(path: string, sync: boolean): Promise<AppendFile> {
    const file = AppendFile.open(path, sync)
    if (!sync) return file
    const directory = await calls.open(dirname(path), 'r')
    try {
      await calls.syncDirectory(directory)
    } finally {
      await calls.close(directory)
    }
    return file
  }

  get bytes(): number {
    return this.size
  }

  /** Resolves when the system has the text, with `sync` when the disk has it. @throws file system errors */
  async append(text: string): Promise<void> {
    await this.takeBack()
    const bytes = Buffer.from(text)
    this.torn = true
    try {
      for (let at = 0; at < bytes.length;)
        at += (await calls.write(this.descriptor, bytes, at, bytes.length - at, null)).bytesWritten
      if (this.sync) await calls.sync(this.descriptor)
    } catch (error) {
      // Where this fails as well, the next append tries again.
      await this.takeBack().catch(() => undefined)
      throw error
    }
    this.torn = false
    this.size += bytes.length
  }

  async close(): Promise<void> {
    await calls.close(this.descriptor)
  }

  private async takeBack(): Promise<void> {
    if (!this.torn) return
    await calls.truncate(this.descriptor, this.size)
    this.torn = false
  }
}

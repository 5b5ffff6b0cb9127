import { closeSync, fdatasync, fstatSync, fsyncSync, ftruncateSync, openSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import { promisify } from 'node:util'

const toDisk = promisify(fdatasync)

/**
 * A file that grows by whole texts: what could be written in part only is taken back. Writes wait for the system at once,
 * which takes some microseconds; handing them to another thread would take more. The disk is waited for elsewhere.
 */
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
  static create(path: string, sync: boolean): AppendFile {
    const file = AppendFile.open(path, sync)
    if (!sync) return file
    const directory = openSync(dirname(path), 'r')
    try {
      fsyncSync(directory)
    } finally {
      closeSync(directory)
    }
    return file
  }

  get bytes(): number {
    return this.size
  }

  /** Resolves when the system has the text, with `sync` when the disk has it. @throws file system errors */
  async append(text: string): Promise<void> {
    this.takeBack()
    const bytes = Buffer.from(text)
    this.torn = true
    try {
      for (let at = 0; at < bytes.length;) at += writeSync(this.descriptor, bytes, at)
      if (this.sync) await toDisk(this.descriptor)
      this.torn = false
    } finally {
      this.takeBack()
    }
    this.size += bytes.length
  }

  close(): void {
    closeSync(this.descriptor)
  }

  private takeBack(): void {
    if (!this.torn) return
    ftruncateSync(this.descriptor, this.size)
    this.torn = false
  }
}

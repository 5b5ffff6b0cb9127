import { failure } from '@sallyport/core'
import { beginning, digestOf, parseLine } from './lines.js'
import type { AuditLine, ChainLink } from './lines.js'
import { filesOfLog } from './log-files.js'
import { readLines } from './read-lines.js'
import type { RawLine } from './read-lines.js'
import { oldestFile } from './recovery.js'
import { isSignedBy, parsePublicKey } from './signature.js'

export interface VerifyOptions {
  /** The key whose heads count: `ed25519:` and 64 hexadecimal digits. */
  readonly publicKey: string
  /** A line that must be there, as a head that was kept elsewhere names it. */
  readonly head?: ChainLink
}

export interface VerifiedLog {
  readonly files: number
  /** The numbers of the first and of the last line. */
  readonly first: number
  readonly last: number
  /** The last signed head; undefined where nothing is signed. */
  readonly signed: ChainLink | undefined
  /** Bytes behind the last whole line. */
  readonly torn: number
}

/**
 * Verifies a log from its oldest line that is left to its end.
 * @throws config_invalid, with file and line, for the first line that was changed, removed, moved, inserted or cut off, as
 * far as heads tell
 */
export const verifyLog = async (directory: string, options: VerifyOptions): Promise<VerifiedLog> => {
  const files = filesOfLog(directory)
  const numbers = files.map(({ number }) => number)
  const chain = new Chain(options, numbers[0] ?? 0, numbers.at(-1) ?? 0)
  for await (const line of readLines(files)) chain.take(line)
  return chain.end(files.length)
}

type Place = Pick<RawLine, 'file' | 'number'>

const broken = ({ file, number }: Place, problem: string): Error =>
  failure('config_invalid', { where: `${file.path}:${number}`, problem })

const changed = (place: Place): Error =>
  broken(place, 'this line was changed: its digest is not the one that the next line names')

/** A line that does not name the digest of the one before it: the line after it tells which of the two was changed. */
interface Suspect {
  readonly before: Place
  readonly at: Place
  readonly digest: string
}

class Chain {
  private readonly key: NonNullable<ReturnType<typeof parsePublicKey>>
  private first: number | undefined
  private last: ChainLink = beginning
  private lastPlace: Place | undefined
  private signed: ChainLink | undefined
  private suspect: Suspect | undefined
  private torn = 0

  constructor(
    private readonly options: VerifyOptions,
    private readonly oldest: number,
    private readonly newest: number,
  ) {
    const key = parsePublicKey(options.publicKey)
    if (!key)
      throw failure('invalid_request', { field: '--key', problem: 'must be ed25519: and 64 hexadecimal digits' })
    this.key = key
  }

  take(raw: RawLine): void {
    const { bytes, isWhole } = raw
    if (this.torn) throw broken(raw, 'the end of the line before this one is missing: it was cut off')
    const line = parseLine(bytes.toString())
    const digest = digestOf(bytes)
    this.judgeSuspect(line)
    if (!isWhole) {
      this.torn = bytes.length
      return
    }
    if (!line) throw broken(raw, 'this line was changed: it is not one of an audit log')
    if (raw.number === 1) this.checkFileStart(raw, line)
    this.checkLink(raw, line, digest)
    if (line.kind === 'head') this.checkHead(raw, line, digest)
    this.last = { seq: line.seq, digest }
    this.lastPlace = raw
    const { head } = this.options
    if (head?.seq === line.seq && head.digest !== digest)
      throw broken(raw, 'this line was changed: the head that was given names another digest for it')
  }

  end(files: number): VerifiedLog {
    this.judgeSuspect(undefined)
    const { first, last, signed, torn, lastPlace } = this
    const { head } = this.options
    if (first === undefined || !lastPlace)
      throw failure('config_invalid', { problem: 'the audit log has no whole line: it was cut off, or never written' })
    if (head && head.seq > last.seq)
      throw broken(lastPlace, `the log ends here, with line ${last.seq}, but had line ${head.seq}: its end was cut off`)
    if (head && head.seq < first)
      throw failure('invalid_request', {
        field: '--head',
        problem: `names line ${head.seq}, but files up to line ${first - 1} were removed: take a later head`,
      })
    return { files, first, last: last.seq, signed, torn }
  }

  /** Lines before the first one of a file are in the file before, or in one that the log itself has removed. */
  private checkFileStart(raw: RawLine, line: AuditLine): void {
    const { number } = raw.file
    const { file } = this.lastPlace ?? {}
    if (file && number !== file.number + 1)
      throw broken(raw, `the file before this one is missing: audit log file ${number - 1}`)
    if (number > 1 && line.kind !== 'rotated')
      throw broken(raw, 'lines before this one were removed: a file begins with the line "rotated"')
    if (number === this.newest && this.oldest > oldestFile(line))
      throw broken(raw, `files were removed: the log begins with file ${oldestFile(line)}, and here is ${this.oldest}`)
  }

  private checkLink(raw: RawLine, { seq, prev }: AuditLine, digest: string): void {
    if (this.first === undefined) {
      this.first = seq
      if (raw.file.number > 1) return
    }
    const expected = this.last.seq + 1
    if (seq > expected)
      throw broken(raw, `this is line ${seq}, but ${expected} is missing before it: lines were removed or moved`)
    if (seq < expected) throw broken(raw, `this is line ${seq}, but ${expected} belongs here: it was moved or inserted`)
    if (prev !== this.last.digest) this.suspect = { before: this.lastPlace ?? raw, at: raw, digest }
  }

  private judgeSuspect(next: AuditLine | undefined): void {
    if (!this.suspect) return
    const { before, at, digest } = this.suspect
    if (!next) throw broken(before, 'this line or the one after it was changed: their digests do not fit')
    throw changed(next.prev === digest ? before : at)
  }

  private checkHead(raw: RawLine, { seq, key }: AuditLine, digest: string): void {
    if (this.suspect) {
      if (isSignedBy(this.key, raw.bytes)) throw changed(this.suspect.before)
      return
    }
    if (key !== this.options.publicKey)
      throw broken(raw, `signed with another key, ${String(key)}: give that one with --key where it is the server's`)
    if (!isSignedBy(this.key, raw.bytes)) {
      const since = this.signed ? `after line ${this.signed.seq}` : 'before it'
      throw broken(raw, `the signature does not fit: this line, or lines ${since}, were written by somebody else`)
    }
    this.signed = { seq, digest }
  }
}

import { ServerFault } from '../fault.js'

/** The maximum number of values of a message: parsing more would hold up other requests. */
const maxValues = 200_000

const codeOf = (character: string): number => character.charCodeAt(0)
const [quote, backslash, lineFeed, carriageReturn] = [codeOf('"'), codeOf('\\'), codeOf('\n'), codeOf('\r')]
const beforeValue: ReadonlySet<number> = new Set([',', '[', '{'].map(codeOf))

/** Counts the values of JSON as it arrives, before it is parsed. */
export class ValueLimit {
  private values = 0
  private inString = false
  private isEscaped = false

  /**
   * @param bytes a short chunk: all of it is counted before the limit is checked
   * @throws ServerFault for too many values
   */
  take(bytes: Uint8Array): void {
    for (const byte of bytes) this.takeByte(byte)
    if (this.values > maxValues) throw new ServerFault(`sent a message of more than ${maxValues} values`)
  }

  /** Resets the count for the next message. */
  restart(): void {
    this.values = 0
    this.inString = this.isEscaped = false
  }

  protected takeByte(byte: number): void {
    if (this.inString) this.takeInString(byte)
    else if (byte === quote) this.inString = true
    else if (beforeValue.has(byte)) this.values += 1
  }

  /** Strings end at the end of a line at the latest. */
  private takeInString(byte: number): void {
    const isEscaped = this.isEscaped
    this.isEscaped = byte === backslash && !isEscaped
    if (byte === lineFeed || byte === carriageReturn || (byte === quote && !isEscaped)) this.inString = false
  }
}

/**
 * A {@link ValueLimit} for a stream of events, each of which ends with an empty line. Lines end with LF, CR or both.
 */
export class EventValueLimit extends ValueLimit {
  private lineIsEmpty = true
  private last = lineFeed

  protected override takeByte(byte: number): void {
    const isSecond = byte === lineFeed && this.last === carriageReturn
    this.last = byte
    if (isSecond) return
    const isLineEnd = byte === lineFeed || byte === carriageReturn
    if (isLineEnd && this.lineIsEmpty) this.restart()
    this.lineIsEmpty = isLineEnd
    super.takeByte(byte)
  }
}

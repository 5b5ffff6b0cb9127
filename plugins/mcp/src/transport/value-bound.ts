import { ServerFault } from '../fault.js'

/** Of one message: more would be parsed for so long that others wait, and no output has room for them. */
const maxValues = 200_000

const codeOf = (character: string): number => character.charCodeAt(0)
const [quote, backslash, lineFeed, carriageReturn] = [codeOf('"'), codeOf('\\'), codeOf('\n'), codeOf('\r')]
const beforeValue: ReadonlySet<number> = new Set([',', '[', '{'].map(codeOf))

/** Counts the values of JSON text as it arrives, before it is parsed. */
export class ValueBound {
  private values = 0
  private inString = false
  private isEscaped = false

  /** @param bytes a short chunk: what ends in it is not counted. @throws ServerFault for too many */
  take(bytes: Uint8Array): void {
    for (const byte of bytes) this.takeByte(byte)
    if (this.values > maxValues) throw new ServerFault(`sent a message of more than ${maxValues} values`)
  }

  /** Another message begins. */
  restart(): void {
    this.values = 0
    this.inString = this.isEscaped = false
  }

  protected takeByte(byte: number): void {
    if (this.inString) this.takeOfString(byte)
    else if (byte === quote) this.inString = true
    else if (beforeValue.has(byte)) this.values += 1
  }

  /** No string goes on behind the end of a line. */
  private takeOfString(byte: number): void {
    const isEscaped = this.isEscaped
    this.isEscaped = byte === backslash && !isEscaped
    if (byte === lineFeed || byte === carriageReturn || (byte === quote && !isEscaped)) this.inString = false
  }
}

/** The same for a stream of events, which end with an empty line. Lines end with LF, CR or both. */
export class EventValueBound extends ValueBound {
  private lineIsEmpty = true
  private last = lineFeed

  protected override takeByte(byte: number): void {
    const isSecond = byte === lineFeed && this.last === carriageReturn
    this.last = byte
    if (isSecond) return
    const ends = byte === lineFeed || byte === carriageReturn
    if (ends && this.lineIsEmpty) this.restart()
    this.lineIsEmpty = ends
    super.takeByte(byte)
  }
}

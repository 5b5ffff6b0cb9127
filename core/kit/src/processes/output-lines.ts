import type { Readable } from 'node:stream'
import { stripVTControlCharacters } from 'node:util'

const maxLineLength = 2000
const maxTailLines = 20
const maxLinesPerSecond = 200

/**
 * What a model's process prints, line by line. Native libraries print much and sometimes endlessly: long lines are
 * cut, and too many lines are counted instead of passed on.
 */
export class OutputLines {
  /** The last lines: they often show why the process ended. */
  readonly tail: string[] = []
  private second = 0
  private linesInSecond = 0

  constructor(private readonly onLine: (line: string) => void) {}

  read(stream: Readable): void {
    let rest = ''
    stream.setEncoding('utf8')
    stream.on('data', (text: string) => {
      const lines = (rest + text).split(/\r?\n/)
      rest = lines.pop() ?? ''
      if (rest.length > maxLineLength) lines.push(rest.slice(0, maxLineLength))
      if (rest.length > maxLineLength) rest = ''
      for (const line of lines) this.add(line)
    })
    stream.on('end', () => {
      this.add(rest)
      this.reportDropped()
    })
    stream.on('error', () => undefined)
  }

  private add(raw: string): void {
    const line = stripVTControlCharacters(raw.slice(0, maxLineLength)).trimEnd()
    if (line === '') return
    this.tail.push(line)
    if (this.tail.length > maxTailLines) this.tail.shift()
    this.pass(line)
  }

  private pass(line: string): void {
    const second = Math.floor(performance.now() / 1000)
    if (second !== this.second) {
      this.reportDropped()
      this.second = second
    }
    if (++this.linesInSecond <= maxLinesPerSecond) this.onLine(line)
  }

  private reportDropped(): void {
    const dropped = this.linesInSecond - maxLinesPerSecond
    if (dropped > 0) this.onLine(`(${dropped} more lines)`)
    this.linesInSecond = 0
  }
}

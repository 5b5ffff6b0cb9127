import type { Readable } from 'node:stream'
import { stripVTControlCharacters } from 'node:util'

const longestLine = 2000
const linesKept = 20
const linesPerSecond = 200

/**
 * What a model's process prints, line by line. Native libraries print much and sometimes endlessly: long lines are
 * cut, and a flood is counted instead of passed on.
 */
export class OutputLines {
  /** The last lines: they often tell why the process ended. */
  readonly tail: string[] = []
  private second = 0
  private inSecond = 0

  constructor(private readonly onLine: (line: string) => void) {}

  read(stream: Readable): void {
    let rest = ''
    stream.setEncoding('utf8')
    stream.on('data', (text: string) => {
      const lines = (rest + text).split(/\r?\n/)
      rest = lines.pop() ?? ''
      if (rest.length > longestLine) lines.push(rest.slice(0, longestLine))
      if (rest.length > longestLine) rest = ''
      for (const line of lines) this.add(line)
    })
    stream.on('end', () => this.add(rest))
    stream.on('error', () => undefined)
  }

  private add(raw: string): void {
    const line = stripVTControlCharacters(raw.slice(0, longestLine)).trimEnd()
    if (line === '') return
    this.tail.push(line)
    if (this.tail.length > linesKept) this.tail.shift()
    this.pass(line)
  }

  private pass(line: string): void {
    const second = Math.floor(performance.now() / 1000)
    if (second !== this.second) {
      const dropped = this.inSecond - linesPerSecond
      if (dropped > 0) this.onLine(`(${dropped} more lines)`)
      this.second = second
      this.inSecond = 0
    }
    if (++this.inSecond <= linesPerSecond) this.onLine(line)
  }
}

/** Server-sent events as they arrive: a parser that is fed with bytes. */

export class EventParser {
  private readonly decoder = new TextDecoder()
  private rest = ''
  private data: string[] = []

  /** Returns the data of the events that these bytes complete. */
  push(bytes: Uint8Array): string[] {
    const lines = (this.rest + this.decoder.decode(bytes, { stream: true })).split('\n')
    this.rest = lines.pop() ?? ''
    return lines.flatMap((line) => this.takeLine(line.endsWith('\r') ? line.slice(0, -1) : line))
  }

  private takeLine(line: string): string[] {
    if (line === '') {
      const event = this.data
      this.data = []
      return event.length > 0 ? [event.join('\n')] : []
    }
    const value = /^data: ?(.*)$/.exec(line)?.[1]
    if (value !== undefined) this.data.push(value)
    return []
  }
}

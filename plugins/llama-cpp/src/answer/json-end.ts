/** Finds the end of a JSON object or array that comes in chunks. The first character must be its beginning. */
export class JsonEnd {
  private depth = 0
  private isInString = false
  private isEscaped = false

  /** The length of the text up to the end of the value, or undefined where the value is not over. */
  find(text: string): number | undefined {
    for (let at = 0; at < text.length; at += 1) if (this.closes(text.charAt(at))) return at + 1
    return undefined
  }

  private closes(character: string): boolean {
    if (this.isEscaped) this.isEscaped = false
    else if (this.isInString) {
      if (character === '\\') this.isEscaped = true
      else if (character === '"') this.isInString = false
    } else if (character === '"') this.isInString = true
    else if (character === '{' || character === '[') this.depth += 1
    else if (character === '}' || character === ']') this.depth -= 1
    return this.depth === 0 && !this.isInString
  }
}

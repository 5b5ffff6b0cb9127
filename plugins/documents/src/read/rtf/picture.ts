/** The bytes of a picture, which RTF writes as digits or as they are. */
export class PictureBuilder {
  private type: string | undefined
  private digits = ''
  private readonly binary: Uint8Array[] = []

  word(word: string): void {
    if (word === 'pngblip') this.type = 'image/png'
    else if (word === 'jpegblip') this.type = 'image/jpeg'
  }

  hex(digits: string): void {
    this.digits += digits
  }

  bytes(bytes: Uint8Array): void {
    this.binary.push(bytes)
  }

  /** As a data URI; undefined for drawings, which browsers do not show. */
  get uri(): string | undefined {
    const content = this.binary.length ? Buffer.concat(this.binary) : Buffer.from(this.digits.replace(/\s/g, ''), 'hex')
    return this.type !== undefined && content.length
      ? `data:${this.type};base64,${content.toString('base64')}`
      : undefined
  }
}

/** Sample images. */

import { crc32, deflateSync } from 'node:zlib'

/** A PNG file of one colour. */
const solidPng = (
  width: number,
  height: number,
  colour: readonly [red: number, green: number, blue: number],
): Uint8Array => {
  const row = Buffer.from([0, ...Array.from({ length: width }, () => colour).flat()])
  const pixels = Buffer.concat(Array.from({ length: height }, () => row))
  const file = Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1A\n', 'latin1'),
    pngChunk('IHDR', header(width, height)),
    pngChunk('IDAT', deflateSync(pixels)),
    pngChunk('IEND', Buffer.alloc(0)),
  ])
  return Uint8Array.from(file)
}

/** Eight bits each of red, green and blue. */
const header = (width: number, height: number): Buffer => {
  const bytes = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, 2, 0, 0, 0])
  bytes.writeUInt32BE(width, 0)
  bytes.writeUInt32BE(height, 4)
  return bytes
}

const pngChunk = (type: string, data: Buffer): Buffer => {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  checksum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, checksum])
}

export const png = solidPng(16, 16, [220, 30, 30])

/** Wide and blue. */
export const widePng = solidPng(64, 16, [30, 30, 220])

/** A small file whose header claims 900 million pixels. */
export const hugePng = (): Uint8Array => {
  const bytes = Buffer.from(png)
  pngChunk('IHDR', header(30_000, 30_000)).copy(bytes, 8)
  return bytes
}

/** Files that are not readable images, by what is wrong with them. */
export const brokenImages: Readonly<Record<string, Uint8Array>> = {
  'no bytes': new Uint8Array(),
  'random bytes': Uint8Array.from({ length: 200 }, (_, index) => (index * 89 + 7) % 256),
  'plain text': Buffer.from('not an image'),
  'a vector drawing': Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>'),
  'a header that is cut off': png.slice(0, 20),
}

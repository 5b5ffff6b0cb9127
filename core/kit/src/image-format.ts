/** The formats of images that are read; others are never given to a decoder. */
type ImageFormat = 'png' | 'jpeg' | 'webp' | 'gif'

/** The problem with bytes of another format, for a message that begins with the name of the image. */
export const notAnImage = 'is not an image of the types png, jpeg, webp or gif'

const signatures: readonly (readonly [format: ImageFormat, matches: (start: string) => boolean])[] = [
  ['png', (start) => start.startsWith('\x89PNG\r\n\x1a\n')],
  ['jpeg', (start) => start.startsWith('\xff\xd8\xff')],
  ['webp', (start) => start.startsWith('RIFF') && start.startsWith('WEBP', 8)],
  ['gif', (start) => start.startsWith('GIF87a') || start.startsWith('GIF89a')],
]

/** The format by the first bytes, whatever a label says. Whether the rest can be decoded is not checked. */
export const imageFormat = (bytes: Uint8Array): ImageFormat | undefined => {
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 12)).toString('latin1')
  return signatures.find(([, matches]) => matches(start))?.[0]
}

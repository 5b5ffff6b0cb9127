/** The smallest mail of Outlook that holds given content: a compound file of named streams. */

import { burn } from '@kenjiuno/msgreader/lib/Burner.js'
import { TypeEnum } from '@kenjiuno/msgreader/lib/Reader.js'

/** Folders by name, and streams. */
interface Folder {
  readonly [name: string]: Folder | Uint8Array
}

export interface Mail {
  readonly subject: string
  readonly body?: string
  readonly html?: string
  /** Packed, as Outlook does. */
  readonly rtf?: Uint8Array
  readonly from?: string
  readonly to?: readonly string[]
  /** By name; a mail in place of bytes is one that was attached as such. */
  readonly attached?: Readonly<Record<string, Uint8Array | Mail>>
}

const textAt = (tag: string, value: string | undefined): Folder =>
  value === undefined ? {} : { [`__substg1.0_${tag}001F`]: Buffer.from(value, 'utf16le') }

const numbered = (name: string, index: number) => `${name}_version1.0_#${String(index).padStart(8, '0')}`

const properties = (header: number): Folder => ({ '__properties_version1.0': new Uint8Array(header) })

const foldersOf = ({ subject, body, html, rtf, from, to = [], attached = {} }: Mail, header: number): Folder => ({
  ...properties(header),
  ...textAt('0037', subject),
  ...textAt('1000', body),
  ...textAt('0C1A', from),
  ...(html !== undefined && { '__substg1.0_10130102': Buffer.from(html) }),
  ...(rtf && { '__substg1.0_10090102': rtf }),
  ...Object.fromEntries(
    to.map((name, index) => [numbered('__recip', index), { ...properties(8), ...textAt('3001', name) }]),
  ),
  ...Object.fromEntries(
    Object.entries(attached).map(([name, content], index) => [
      numbered('__attach', index),
      {
        ...properties(8),
        ...textAt('3707', name),
        ...(content instanceof Uint8Array
          ? { '__substg1.0_37010102': content }
          : { '__substg1.0_3701000D': foldersOf(content, 24) }),
      },
    ]),
  ),
})

export const msgOf = (mail: Mail): Uint8Array => {
  const entries: Parameters<typeof burn>[0] = []
  const add = (name: string, content: Folder | Uint8Array, type = TypeEnum.DIRECTORY): number => {
    if (content instanceof Uint8Array) {
      // what is written is the whole of the memory behind it
      const bytes = new Uint8Array(content)
      return entries.push({ name, type: TypeEnum.DOCUMENT, length: bytes.length, binaryProvider: () => bytes }) - 1
    }
    const entry = { name, type, length: 0, children: [] as number[] }
    const place = entries.push(entry) - 1
    for (const [inner, one] of Object.entries(content)) entry.children.push(add(inner, one))
    return place
  }
  add('Root Entry', foldersOf(mail, 32), TypeEnum.ROOT)
  return burn(entries)
}

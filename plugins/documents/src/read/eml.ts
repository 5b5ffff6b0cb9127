import PostalMime from 'postal-mime'
import type { Address, Email } from 'postal-mime'
import { occurrences } from '../element-budget.js'
import type { Block, Inline } from '../model/blocks.js'
import { dataUri, paragraph, text } from '../model/inlines.js'
import { DocumentProblem } from '../problem.js'
import { htmlBlocks } from './html/index.js'
import { plainTree } from './plain.js'
import type { Attachment, ReaderResult, Source } from './source.js'

/** Reads a mail: the subject as heading, header fields, the text, and the names of attachments. */
export const readEmail = async ({ bytes, elements, embedImages }: Source): Promise<ReaderResult> => {
  if (boundaryLines(bytes) > maxParts) throw new DocumentProblem(`it has more than ${maxParts} parts: split it`)
  // the library takes some microseconds for each line
  elements.check(occurrences(bytes, '\n'))
  const email = await parseEmail(bytes)
  const images = new Map(
    email.attachments.flatMap(({ contentId, mimeType, content }) =>
      contentId && mimeType.startsWith('image/')
        ? [[contentId.replace(/^<|>$/g, ''), dataUri(mimeType, contentBytes(content))]]
        : [],
    ),
  )
  const imageUrl = (url: string) => (/^cid:/i.test(url) ? (embedImages ? images.get(url.slice(4)) : undefined) : url)
  const body = email.html?.trim()
    ? htmlBlocks(email.html, { elements, embedImages, imageUrl })
    : plainTree(email.text ?? '', elements).blocks
  return mailTree({
    subject: email.subject,
    fields: [
      ['From', email.from ? listOf([email.from]) : ''],
      ['To', listOf(email.to)],
      ['Cc', listOf(email.cc)],
      ['Date', dateOf(email)],
    ],
    body,
    attachments: email.attachments.flatMap(({ filename, disposition, content }) =>
      filename && disposition !== 'inline' ? [{ name: filename, bytes: contentBytes(content) }] : [],
    ),
  })
}

/** The library takes a fifth of a millisecond for each part. */
const maxParts = 5000

/** In bytes. */
const maxHeadersSize = 2 ** 20

/** Characters of a boundary that are compared. */
const boundaryPrefix = 20

/** The number of lines that begin as declared boundaries do; counts no further than {@link maxParts} + 1. */
const boundaryLines = (bytes: Uint8Array): number => {
  const mail = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1')
  const prefixes = declaredBoundaries(mail)
  const lengths = [...new Set(Array.from(prefixes, ({ length }) => length))]
  let count = 0
  for (let at = mail.indexOf('\n--'); at >= 0 && count <= maxParts; at = mail.indexOf('\n--', at + 3))
    if (lengths.some((length) => prefixes.has(mail.slice(at + 3, at + 3 + length)))) count += 1
  return count
}

/**
 * Prefixes of declared boundaries; an empty one, which all lines match, where a declaration is split, encoded or
 * commented.
 */
const declaredBoundaries = (mail: string): ReadonlySet<string> => {
  if (/^content-type:[^\n(]*(?:\n[ \t][^\n(]*)*\(/im.test(mail)) return new Set([''])
  const declared = mail.matchAll(/boundary\s*(?:\*|=\s*"?([^"\s;\\]*))/gi)
  return new Set(Array.from(declared, ([, value = '']) => value.slice(0, boundaryPrefix)))
}

const parseEmail = async (bytes: Uint8Array): Promise<Email> => {
  try {
    return await PostalMime.parse(bytes, { maxNestingDepth: 50, maxHeadersSize, attachmentEncoding: 'base64' })
  } catch (cause) {
    if (cause instanceof Error && /header size/.test(cause.message))
      throw new DocumentProblem('its header fields have more than 1 MB: leave some of them out', { cause })
    throw cause
  }
}

interface Mail {
  readonly subject: string | undefined
  readonly fields: readonly (readonly [name: string, value: string])[]
  readonly body: readonly Block[]
  readonly attachments: readonly Attachment[]
}

export const mailTree = ({ subject, fields, body, attachments }: Mail): ReaderResult => {
  const title = subject?.trim() ?? ''
  const names = attachments.map(({ name }) => name).join(', ')
  const head = fields.filter(([, value]) => value !== '')
  return {
    ...(title && { title }),
    blocks: [
      ...(title ? [{ type: 'heading' as const, level: 1, content: [text(title)] }] : []),
      ...(head.length ? [paragraph(head.flatMap(field))] : []),
      ...body,
      ...(names ? [paragraph(field(['Attachments', names], 0))] : []),
    ],
    attachments,
  }
}

const field = ([name, value]: readonly [string, string], index: number): Inline[] => [
  ...(index ? [{ type: 'break' as const }] : []),
  text(`${name}:`, ['bold']),
  text(` ${value}`),
]

const listOf = (addresses: readonly Address[] | undefined): string =>
  (addresses ?? [])
    .map(({ name, address, group }) =>
      group ? `${name}: ${listOf(group)}` : name && address ? `${name} <${address}>` : address || name,
    )
    .join(', ')

const dateOf = ({ date, headers }: Email): string => date ?? headers.find(({ key }) => key === 'date')?.value ?? ''

/** The bytes of an attachment, which the library returns as base64. */
const contentBytes = (content: string | ArrayBuffer | Uint8Array): Buffer =>
  typeof content === 'string' ? Buffer.from(content, 'base64') : Buffer.from(content as Uint8Array)

/** Header fields that only programs write. */
const technicalFields =
  /^(?:mime-version|content-type|message-id|received|return-path|delivered-to|x-[\w-]+|dkim-signature)$/i
const commonFields =
  /^(?:from|to|cc|bcc|subject|date|message-id|mime-version|content-type|content-transfer-encoding|received|return-path|reply-to|delivered-to|x-[\w-]+|dkim-signature|sender|in-reply-to|references|thread-\w+|authentication-results|list-[\w-]+)$/i

/** Whether a text begins with header fields: two common ones, one of them technical, or three common ones. */
export const looksLikeEmail = (start: string): boolean => {
  const head = start.replace(/^From \S+ .*\n/, '').split(/\n[ \t]*\n/, 1)[0] ?? ''
  const fields = head.split('\n').filter((line) => !/^[ \t]/.test(line))
  const names = fields.map((line) => /^([!-9;-~]+):/.exec(line)?.[1] ?? '')
  const common = names.filter((name) => commonFields.test(name)).length
  return names.every(Boolean) && common > 1 && (names.some((name) => technicalFields.test(name)) || common > 2)
}

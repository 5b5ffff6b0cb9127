import PostalMime from 'postal-mime'
import type { Address, Email } from 'postal-mime'
import { occurrences } from '../element-budget.js'
import type { Block, Inline } from '../model/blocks.js'
import { isDataUrl, text } from '../model/inlines.js'
import { DocumentProblem } from '../problem.js'
import { htmlBlocks } from './html/index.js'
import { plainTree } from './plain.js'
import type { Attachment, ReadDocument, Source } from './source.js'

/** Reads a mail: the subject as heading, header fields, the text, and the names of attachments. */
export const readEmail = async ({ bytes, elements, embedImages }: Source): Promise<ReadDocument> => {
  if (boundaryLines(bytes) > maxParts) throw new DocumentProblem(`it has more than ${maxParts} parts: split it`)
  // the library takes some microseconds for each line
  elements.check(occurrences(bytes, '\n'))
  const email = await parseEmail(bytes)
  const images = new Map(
    email.attachments.flatMap(({ contentId, mimeType, content }) =>
      contentId && mimeType.startsWith('image/')
        ? [[contentId.replace(/^<|>$/g, ''), `data:${mimeType};base64,${asBase64(content)}`]]
        : [],
    ),
  )
  const body = email.html?.trim()
    ? htmlBlocks(email.html, { elements, imageUrl: (url) => imageUrl(url, images, embedImages) })
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
      filename && disposition !== 'inline' ? [{ name: filename, bytes: Buffer.from(asBase64(content), 'base64') }] : [],
    ),
  })
}

/** The library takes a fifth of a millisecond for each part. */
const maxParts = 5000

const maxHeaderBytes = 2 ** 20

/** Length of the prefix by which boundaries are told from other lines with two hyphens. */
const boundaryPrefix = 20

/** Counts lines that begin like a boundary that the mail declares. */
const boundaryLines = (bytes: Uint8Array): number => {
  const mail = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1')
  const starts = declaredBoundaries(mail)
  const lengths = [...new Set([...starts].map(({ length }) => length))]
  let count = 0
  for (let at = mail.indexOf('\n--'); at >= 0 && count <= maxParts; at = mail.indexOf('\n--', at + 3))
    if (lengths.some((length) => starts.has(mail.slice(at + 3, at + 3 + length)))) count += 1
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
    return await PostalMime.parse(bytes, {
      maxNestingDepth: 50,
      maxHeadersSize: maxHeaderBytes,
      attachmentEncoding: 'base64',
    })
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

export const mailTree = ({ subject, fields, body, attachments }: Mail): ReadDocument => {
  const title = subject?.trim() ?? ''
  const head = fields.filter(([, value]) => value !== '')
  return {
    ...(title && { title }),
    blocks: [
      ...(title ? [{ type: 'heading' as const, level: 1, content: [text(title)] }] : []),
      ...(head.length ? [{ type: 'paragraph' as const, content: head.flatMap(field) }] : []),
      ...body,
      ...(attachments.length
        ? [{ type: 'paragraph' as const, content: field(['Attachments', namesOf(attachments)], 0) }]
        : []),
    ],
    attachments,
  }
}

const namesOf = (attachments: readonly Attachment[]) => attachments.map(({ name }) => name).join(', ')

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

const asBase64 = (content: string | ArrayBuffer | Uint8Array): string =>
  typeof content === 'string' ? content : Buffer.from(content as Uint8Array).toString('base64')

const imageUrl = (url: string, images: ReadonlyMap<string, string>, embed: boolean): string | undefined => {
  if (/^cid:/i.test(url)) return embed ? images.get(url.slice(4)) : undefined
  return embed || !isDataUrl(url) ? url : undefined
}

/** Common header fields of mails. */
const knownFields =
  /^(?:from|to|cc|bcc|subject|date|message-id|mime-version|content-type|content-transfer-encoding|received|return-path|reply-to|delivered-to|x-[\w-]+|dkim-signature|sender|in-reply-to|references|thread-\w+|authentication-results|list-[\w-]+)$/i

/** Whether a text begins with header fields: two common ones with a technical one among all, or three common ones. */
export const looksLikeEmail = (start: string): boolean => {
  const head = start.replace(/^From \S+ .*\n/, '').split(/\n[ \t]*\n/, 1)[0] ?? ''
  const fields = head.split('\n').filter((line) => !/^[ \t]/.test(line))
  const names = fields.map((line) => /^([!-9;-~]+):/.exec(line)?.[1] ?? '')
  const technical =
    /^(mime-version|content-type|message-id|received|return-path|delivered-to|x-[\w-]+|dkim-signature)$/i
  const mail = names.filter((name) => knownFields.test(name)).length
  return (
    names.length > 0 && names.every(Boolean) && mail > 1 && (names.some((name) => technical.test(name)) || mail > 2)
  )
}

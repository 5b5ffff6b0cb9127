import { decompressRTF } from '@kenjiuno/decompressrtf'
import msgReader from '@kenjiuno/msgreader'
import type { AttachmentData, FieldsData } from '@kenjiuno/msgreader'
import type { ElementBudget } from '../element-budget.js'
import type { Block } from '../model/blocks.js'
import { DocumentProblem } from '../problem.js'
import { decodeText } from './decode-text.js'
import { mailTree } from './eml.js'
import { htmlBlocks } from './html/index.js'
import { plainTree } from './plain.js'
import { readRtf } from './rtf/index.js'
import type { Attachment, Reader } from './source.js'

/** Reads a mail of Outlook. */
export const readMsg: Reader = ({ bytes, elements, embedImages }) => {
  const buffer = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length) as ArrayBuffer
  const reader = new msgReader.default(buffer)
  const mail = reader.getFileData()
  if (mail.error) throw new DocumentProblem('the mail is damaged or cut off: save it again', { cause: mail.error })
  const recipients = (accept: (type: string | undefined) => boolean) =>
    (mail.recipients ?? [])
      .filter(({ recipType }) => accept(recipType))
      .map(recipient)
      .join(', ')
  const sent = mail.clientSubmitTime ?? mail.messageDeliveryTime ?? ''
  return mailTree({
    subject: mail.subject,
    fields: [
      ['From', nameAndAddress(mail.senderName, mail.senderEmail)],
      ['To', recipients((type) => type !== 'cc' && type !== 'bcc')],
      ['Cc', recipients((type) => type === 'cc')],
      ['Date', Number.isNaN(Date.parse(sent)) ? sent : new Date(sent).toISOString()],
    ],
    body: bodyOf(mail, elements, embedImages),
    attachments: (mail.attachments ?? []).flatMap((attached) => attachmentOf(reader, attached)),
  })
}

const attachmentOf = (reader: { getAttachment(attached: FieldsData): AttachmentData }, attached: FieldsData) => {
  if (attached.attachmentHidden) return []
  const { fileName, content } = reader.getAttachment(attached)
  const name = attached.fileName ?? attached.name ?? fileName
  return name ? [{ name, bytes: content } satisfies Attachment] : []
}

const bodyOf = (mail: FieldsData, elements: ElementBudget, embedImages: boolean): readonly Block[] => {
  const html = mail.bodyHtml ?? (mail.html && decodeText(mail.html))
  const imageUrl = (url: string) => (/^cid:/i.test(url) ? undefined : url)
  if (html?.trim()) return htmlBlocks(html, { elements, embedImages, imageUrl })
  if (mail.body?.trim() || !mail.compressedRtf)
    return plainTree((mail.body ?? '').replace(/\r\n?/g, '\n'), elements).blocks
  return readRtf({ bytes: Uint8Array.from(decompressRTF([...mail.compressedRtf])), elements, embedImages }).blocks
}

const recipient = ({ name, email, smtpAddress }: FieldsData): string => nameAndAddress(name, smtpAddress ?? email)

/** Within an organisation, Outlook stores addresses that are no mail addresses; these are left out. */
const nameAndAddress = (name: string | undefined, email: string | undefined): string => {
  const address = email?.includes('@') ? email : ''
  return name && address && name !== address ? `${name} <${address}>` : (name ?? address)
}

import { expect } from 'chai'
import sharp from 'sharp'
import { docxOf, paragraph, wordStyles } from '../support/office.js'
import { msgOf } from '../support/msg.js'
import { limits, markdownOf, treeOf } from '../support/read.js'

const boundary = 'part'

interface Part {
  readonly type: string
  readonly name?: string
  readonly content: Uint8Array | string
}

const emlOf = (subject: string, text: string, parts: readonly Part[] = []): Buffer =>
  Buffer.from(
    [
      `From: Ann <ann@example.org>\r\nTo: bob@example.org\r\nSubject: ${subject}\r\nMIME-Version: 1.0`,
      `Content-Type: multipart/mixed; boundary=${boundary}${subject.length}\r\n`,
      ...[{ type: 'text/plain', content: text }, ...parts].map((part: Part) =>
        [
          `--${boundary}${subject.length}\r\nContent-Type: ${part.type}`,
          'Content-Transfer-Encoding: base64',
          ...(part.name === undefined ? [] : [`Content-Disposition: attachment; filename="${part.name}"`]),
          '',
          Buffer.from(part.content).toString('base64'),
        ].join('\r\n'),
      ),
      `--${boundary}${subject.length}--\r\n`,
    ].join('\r\n'),
  )

const office = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'
const report = docxOf(paragraph('Results', '<w:pStyle w:val="Heading1"/>') + paragraph('All is well.'), {
  'word/styles.xml': wordStyles,
})

describe('a mail', () => {
  it('has the text of what is attached behind it, whatever it is called', async () => {
    const mail = emlOf('Report', 'See below.', [{ type: office, name: 'report.bin', content: report }])
    expect(await markdownOf(mail)).to.equal(
      '# Report\n\n**From:** Ann \\<ann@example.org>  \n**To:** bob@example.org\n\nSee below.\n\n' +
        '**Attachments:** report.bin\n\n## report.bin\n\n### Results\n\nAll is well.\n',
    )
  })

  it('is refused where it has more images for OCR than a document may have: none is left out unsaid', async () => {
    let read = 0
    const ocr = () => {
      read += 1
      return Promise.resolve([{ text: 'seen', confidence: 1, box: { left: 0, top: 0, width: 9, height: 9 } }])
    }
    const create = { width: 40, height: 40, channels: 3, background: 'white' } as const
    const content = await sharp({ create }).png().toBuffer()
    const images = ['a', 'b', 'c', 'd', 'e'].map((name) => ({ type: 'image/png', name, content }))
    const few = await markdownOf(emlOf('Scans', 'See below.', images.slice(0, limits.ocrPages)), { ocr })
    expect(few.match(/seen/g)).to.have.length(limits.ocrPages)
    read = 0
    const [many] = await Promise.allSettled([markdownOf(emlOf('Scans', 'See below.', images), { ocr })])
    expect(many).to.have.nested.property('reason.message').that.contains(`more than ${limits.ocrPages} images`)
    expect(read).to.equal(limits.ocrPages)
  })

  it('names what cannot be read', async () => {
    const mail = emlOf('Report', 'See below.', [
      { type: 'application/zip', name: 'broken.docx', content: report.subarray(0, 300) },
      { type: 'application/octet-stream', name: 'tool.exe', content: '\x7fELF\x02\x01' },
    ])
    expect(await markdownOf(mail)).to.match(/See below\.\n\n\*\*Attachments:\*\* broken\.docx, tool\.exe\n$/)
  })

  it('is read with mails within it, and no deeper than is sensible', async () => {
    const nested = (depth: number): Buffer =>
      emlOf('x'.repeat(depth + 1), `text ${depth}`, [
        { type: 'application/octet-stream', name: `${depth}.eml`, content: depth < 6 ? nested(depth + 1) : 'end' },
      ])
    const markdown = await markdownOf(nested(0))
    expect(markdown).to.include('text 3').and.to.include('3.eml').and.not.to.include('text 4')
  })

  it('has the pages of no other document', async () => {
    const { blocks } = await treeOf(emlOf('Report', 'See below.', [{ type: office, name: 'a.docx', content: report }]))
    expect(blocks.every(({ page, box }) => page === undefined && box === undefined)).to.equal(true)
  })
})

describe('a mail of Outlook', () => {
  const mail = { subject: 'Grüße', body: 'Hello Bob,\r\n\r\nsee below.', from: 'Ann Example', to: ['Bob', 'Carl'] }

  it('is its subject, the people, the text and what is attached', async () => {
    expect(await markdownOf(msgOf({ ...mail, attached: { 'report.docx': report } }))).to.equal(
      '# Grüße\n\n**From:** Ann Example  \n**To:** Bob, Carl\n\nHello Bob,\n\nsee below.\n\n' +
        '**Attachments:** report.docx\n\n## report.docx\n\n### Results\n\nAll is well.\n',
    )
  })

  it('is its HTML where it has such', async () => {
    expect(await markdownOf(msgOf({ subject: 'S', html: '<p>Hello <b>Bob</b></p>' }))).to.equal(
      '# S\n\nHello **Bob**\n',
    )
  })

  it('is its RTF where it has nothing else', async () => {
    // of the kind that is not packed, behind its header: size, size of the text, MELA, checksum
    const rtf = Buffer.from('{\\rtf1 Hello {\\b Bob}\\par}')
    const header = Buffer.alloc(16)
    header.writeUInt32LE(rtf.length + 12, 0)
    header.writeUInt32LE(rtf.length, 4)
    header.write('MELA', 8)
    expect(await markdownOf(msgOf({ subject: 'S', rtf: Buffer.concat([header, rtf]) }))).to.equal(
      '# S\n\nHello **Bob**\n',
    )
  })

  it('has mails that were attached as such', async () => {
    const inner = { subject: 'Before', body: 'What was said.' }
    expect(await markdownOf(msgOf({ ...mail, attached: { 'Before.msg': inner } }))).to.include(
      '## Before.msg\n\n### Before\n\nWhat was said.\n',
    )
  })

  it('is refused, or read as far as it goes, where it is cut off', async () => {
    const bytes = msgOf({ ...mail, body: 'Hello. '.repeat(5000) })
    for (const share of [0.3, 0.6, 0.9]) {
      const outcome = await markdownOf(bytes.subarray(0, Math.floor(bytes.length * share))).catch(
        (error: unknown) => (error as Error).message,
      )
      expect(outcome).to.match(/damaged|cut off|no kind that is read/)
    }
  })
})

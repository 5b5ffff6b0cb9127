import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { contentsOf } from '@sallyport/core'
import type { ExtractedPart, ExtractionCapability, ExtractionRequest, ExtractionResult } from '@sallyport/core'
import { callCases } from './call-cases.js'
import { cases } from './case.js'
import type { ConformanceCase } from './case.js'
import { lazyFile, sampleFile } from './samples.js'
import { codePoints, rejectsWith, testCall, valueUnless } from './support.js'

const plain = 'The first line has six words.\nA second one: a < b & c, naïve 👩‍👩‍👧‍👦 日本語.\n'

const markdown = `# The title

An opening paragraph.

## Section one

${'A sentence of section one, with 👍🏽 in it. '.repeat(12)}

## Section two

Its text.
`

const rows = Array.from({ length: 20 }, (_, row) => [`the first cell of row ${row}`, `the last cell of row ${row}`])
const table = `| One | Two |\n| --- | --- |\n${rows.map((cells) => `| ${cells.join(' | ')} |\n`).join('')}`

const files = [lazyFile(() => plain), lazyFile(() => markdown), lazyFile(() => table)] as const

const extract = (service: ExtractionCapability, request: Partial<ExtractionRequest> = {}): Promise<ExtractionResult> =>
  service.extract({ file: files[1](), fileName: 'notes.md', format: 'markdown', ...request }, testCall())

type Format = ExtractionRequest['format']

const joined = ({ parts }: Pick<ExtractionResult, 'parts'>, format: Format): string =>
  parts.map((part) => contentsOf(part, format)).join('')

/** The parts by the chunks that they belong to. */
const chunksOf = ({ parts }: ExtractionResult): ExtractedPart[][] => {
  const chunks: ExtractedPart[][] = []
  for (const part of parts)
    if (part.continues && chunks.length) chunks.at(-1)?.push(part)
    else chunks.push([part])
  return chunks
}

const contents = async (service: ExtractionCapability, request: Partial<ExtractionRequest> = {}): Promise<string> =>
  joined(await extract(service, request), request.format ?? 'markdown')

export const extractionCases: readonly ConformanceCase<ExtractionCapability>[] = [
  ...callCases<ExtractionCapability, ExtractionRequest, ExtractionResult>({
    method: 'extract',
    request: (_, which) => ({ file: files[which](), fileName: 'notes.md', format: 'text' }),
    invoke: (service, request, call) => service.extract(request, call),
  }),
  ...cases<ExtractionCapability>({
    'the contents hold the text, and its words are counted': async (service) => {
      const result = await extract(service, { file: files[0](), fileName: 'notes.txt', format: 'text' })
      const [text, { words }] = [joined(result, 'text'), result]
      for (const part of ['The first line has six words.', 'a < b & c', '👩‍👩‍👧‍👦 日本語'])
        assert.ok(text.includes(part), part)
      const counted = text.split(/\s+/).filter(Boolean).length
      assert.ok(Math.abs(words - counted) <= 3, `${words} words instead of ${counted}`)
    },
    'the title is the document’s own, else the file name': async (service) => {
      assert.equal((await extract(service)).title, 'The title')
      assert.equal((await extract(service, { file: files[0](), fileName: 'notes.txt' })).title, 'notes.txt')
    },
    'markdown keeps headings, text has no mark-up for them': async (service) => {
      assert.match(await contents(service), /^## Section one$/m)
      assert.match(await contents(service, { format: 'text' }), /^Section one$/m)
    },
    'html is escaped, json is JSON': async (service) => {
      const request = { file: files[0](), fileName: 'notes.txt' }
      const html = await contents(service, { ...request, format: 'html' })
      assert.ok(html.includes('a &lt; b &amp; c'), `not escaped: ${html}`)
      const json = await contents(service, { ...request, format: 'json' })
      assert.doesNotThrow(() => JSON.parse(json) as unknown, `no JSON: ${json}`)
      assert.ok(json.includes('first line'), `not the contents: ${json}`)
    },
    'the contents are the same in chunks': async (service) => {
      for (const format of ['markdown', 'text', 'html'] as const)
        assert.equal(await contents(service, { format, chunkSize: 100 }), await contents(service, { format }), format)
    },
    'the text is the same in every format, and its mark-up apart from it': async (service) => {
      for (const format of ['markdown', 'text', 'html', 'json'] as const) {
        const { parts } = await extract(service, { file: files[0](), fileName: 'notes.txt', format })
        const text = parts.map((part) => part.text).join('')
        assert.ok(text.includes('A second one: a < b & c'), `${format}: ${text}`)
      }
    },
    'json is one chunk, whatever the size of chunks': async (service) => {
      assert.equal(chunksOf(await extract(service, { format: 'json', chunkSize: 100 })).length, 1)
    },
    'chunks do not end within a row of a table': async (service) => {
      const chunks = chunksOf(await extract(service, { file: files[2](), fileName: 'table.md', chunkSize: 150 }))
      assert.ok(chunks.length > 1, 'no chunks came')
      const texts = chunks.map((parts) => joined({ parts }, 'markdown'))
      for (const cells of rows)
        assert.ok(
          texts.some((text) => text.split('\n').some((line) => cells.every((cell) => line.includes(cell)))),
          `a row is cut: ${cells.join(', ')}`,
        )
    },
    'chunks keep to the size': async (service) => {
      const chunks = chunksOf(await extract(service, { chunkSize: 100 }))
      assert.ok(chunks.length > 1, 'no chunks came')
      for (const parts of chunks) {
        const { length } = codePoints(joined({ parts }, 'markdown').trimEnd())
        assert.ok(length <= 100, `a chunk has ${length} characters`)
      }
    },
    'chunks know the headings above them': async (service) => {
      const { headings, parts } = await extract(service, { chunkSize: 200 })
      const inSection = parts.find(({ text }) => text.includes('A sentence of section one'))
      assert.deepEqual(
        inSection?.headings?.map((place) => headings[place]),
        ['The title', 'Section one'],
      )
    },
    'the content decides about the format, not the name': async (service) =>
      assert.ok((await contents(service, { fileName: 'notes.pdf' })).includes('An opening paragraph.')),
    'unknown and broken files are refused with unsupported_media': async (service) => {
      const random = Buffer.from(Array.from({ length: 3000 }, (_, index) => (index * 89 + 7) % 256))
      for (const bytes of [random, Buffer.from('%PDF-1.7\n\0\0\0 and nothing more')])
        await rejectsWith(extract(service, { file: sampleFile(bytes), fileName: 'notes.pdf' }), 'unsupported_media')
    },
    'an empty file has no contents, or is refused with unsupported_media': async (service) => {
      const result = await valueUnless(
        extract(service, { file: sampleFile(''), fileName: 'empty.txt' }),
        'unsupported_media',
      )
      if (result) assert.equal(joined(result, 'text').trim(), '')
    },
    'the file is left as it was': async (service) => {
      const file = sampleFile(markdown)
      await extract(service, { file })
      assert.equal(await readFile(file, 'utf8'), markdown)
    },
  }),
]

import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import type { ExtractionCapability, ExtractionRequest, ExtractionResult } from '../capabilities/extraction.js'
import { callCases } from './call-cases.js'
import type { ConformanceCase } from './case.js'
import { lazyFile, sampleFile } from './sample-files.js'
import { codePoints, rejectsWith, testCall, valueUnless } from './support.js'

const plain = 'The first line has six words.\nA second one: a < b & c, naïve 👩‍👩‍👧‍👦 日本語.\n'

const markdown = `# The title

An opening paragraph.

## Section one

${'A sentence of section one, with 👍🏽 in it. '.repeat(12)}

## Section two

Its text.
`

const files = [lazyFile(() => plain), lazyFile(() => markdown)] as const

const extract = (service: ExtractionCapability, request: Partial<ExtractionRequest> = {}): Promise<ExtractionResult> =>
  service.extract({ file: files[1](), fileName: 'notes.md', format: 'markdown', ...request }, testCall())

const chunksOf = async (service: ExtractionCapability, chunkSize: number) => {
  const { contents, chunks = [] } = await extract(service, { chunkSize })
  assert.ok(chunks.length > 0, 'no chunks came')
  return { characters: codePoints(contents), chunks }
}

export const extractionCases: readonly ConformanceCase<ExtractionCapability>[] = [
  ...callCases<ExtractionCapability, ExtractionRequest, ExtractionResult>({
    method: 'extract',
    request: (_, which) => ({ file: files[which](), fileName: 'notes.md', format: 'text' }),
    invoke: (service, request, call) => service.extract(request, call),
  }),
  {
    name: 'the contents hold the text, and its words are counted',
    async run(service) {
      const { contents, words } = await extract(service, { file: files[0](), fileName: 'notes.txt', format: 'text' })
      for (const part of ['The first line has six words.', 'a < b & c', '👩‍👩‍👧‍👦 日本語'])
        assert.ok(contents.includes(part), part)
      const counted = contents.split(/\s+/).filter(Boolean).length
      assert.ok(Math.abs(words - counted) <= 3, `${words} words instead of ${counted}`)
    },
  },
  {
    name: 'the title is the document’s own, else the file name',
    async run(service) {
      assert.equal((await extract(service)).title, 'The title')
      assert.equal((await extract(service, { file: files[0](), fileName: 'notes.txt' })).title, 'notes.txt')
    },
  },
  {
    name: 'markdown keeps headings, text has no mark-up for them',
    async run(service) {
      assert.match((await extract(service)).contents, /^## Section one$/m)
      assert.match((await extract(service, { format: 'text' })).contents, /^Section one$/m)
    },
  },
  {
    name: 'html is escaped, json is JSON',
    async run(service) {
      const request = { file: files[0](), fileName: 'notes.txt' }
      const html = (await extract(service, { ...request, format: 'html' })).contents
      assert.ok(html.includes('a &lt; b &amp; c'), `not escaped: ${html}`)
      const json = (await extract(service, { ...request, format: 'json' })).contents
      assert.ok(isJson(json) && json.includes('first line'), `no JSON: ${json}`)
    },
  },
  {
    name: 'chunks come only when asked for',
    async run(service) {
      assert.equal((await extract(service)).chunks, undefined)
    },
  },
  {
    name: 'chunks are the spans of the contents that they say, in code points',
    async run(service) {
      const { characters, chunks } = await chunksOf(service, 100)
      for (const { text, start, end } of chunks) assert.equal(characters.slice(start, end).join(''), text)
    },
  },
  {
    name: 'chunks keep to the size, follow each other and leave nothing out',
    async run(service) {
      const { characters, chunks } = await chunksOf(service, 100)
      let covered = 0
      for (const { start, end } of [...chunks, { start: characters.length, end: characters.length }]) {
        assert.ok(end - start <= 100, `a chunk has ${end - start} characters`)
        assert.ok(start >= covered, `the chunk at ${start} begins before ${covered}`)
        assert.equal(characters.slice(covered, start).join('').trim(), '', 'text was left out')
        covered = end
      }
    },
  },
  {
    name: 'chunks know the headings above them',
    async run(service) {
      const { chunks } = await chunksOf(service, 200)
      const inSection = chunks.find(({ text }) => text.includes('A sentence of section one'))
      assert.deepEqual(inSection?.headings, ['The title', 'Section one'])
    },
  },
  {
    name: 'the content decides about the format, not the name',
    async run(service) {
      const { contents } = await extract(service, { fileName: 'notes.pdf' })
      assert.ok(contents.includes('An opening paragraph.'))
    },
  },
  {
    name: 'unknown and broken files are refused with unsupported_media',
    async run(service) {
      const random = Buffer.from(Array.from({ length: 3000 }, (_, index) => (index * 89 + 7) % 256))
      for (const bytes of [random, Buffer.from('%PDF-1.7\n\0\0\0 and nothing more')])
        await rejectsWith(extract(service, { file: sampleFile(bytes), fileName: 'notes.pdf' }), 'unsupported_media')
    },
  },
  {
    name: 'an empty file has no contents, or is refused with unsupported_media',
    async run(service) {
      const result = await valueUnless(
        extract(service, { file: sampleFile(''), fileName: 'empty.txt' }),
        'unsupported_media',
      )
      if (result) assert.equal(result.contents.trim(), '')
    },
  },
  {
    name: 'the file is left as it was',
    async run(service) {
      const file = sampleFile(markdown)
      await extract(service, { file })
      assert.equal(await readFile(file, 'utf8'), markdown)
    },
  },
]

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** Documents: contents, chunks and their places. */

import { expect } from 'chai'
import { fileModel } from './support/files.js'
import { fileOf, postForm } from './support/forms.js'
import { testKernel } from './support/kernel.js'
import { toolbox } from './support/models.js'
import { serverFor, startServer } from './support/server.js'

const path = '/documents/extract'
const contents = 'The title\nAsk Ann about 👍🏽.\n  \nThe end'

interface Extracted {
  readonly contents: string
  readonly chunks: { text: string; start: number; end: number; headings: string[] }[]
}

interface Located {
  readonly error?: string
  readonly contents?: string
  readonly spans?: readonly { score: number }[]
  readonly safeguards?: readonly { spans?: readonly { score: number }[] }[]
}

describe('document extraction', () => {
  const model = fileModel()
  const server = serverFor(() => testKernel([model.model, toolbox]))

  const ask = (fields = {}, headers = {}) =>
    postForm(server, path, { file: fileOf(contents, 'notes.md'), ...fields }, headers)

  it('answers with title, contents and words', async () => {
    expect(await (await ask()).json()).to.deep.equal({ title: 'notes.md', contents, count: 8 })
    expect(model.read.at(-1)).to.include({ fileName: 'notes.md', format: 'markdown' })
  })

  it('hands on what is asked for', async () => {
    await ask({ outputFormat: 'html', embedImages: '1', enableOCR: 'True', chunkDocument: 'true', chunkSize: '300' })
    expect(model.read.at(-1)).to.include({ format: 'html', embedImages: true, ocr: true, chunkSize: 300 })
    await ask({ chunkDocument: 'true' })
    expect(model.read.at(-1)).to.include({ chunkSize: 1000 })
  })

  for (const [what, headers] of [
    ['as they are', {}],
    ['behind replacement', { Pii: 'replace', 'Replace-Method': 'category' }],
  ] as const)
    it(`answers with chunks, which are spans of the contents, ${what}`, async () => {
      const answer = (await (await ask({ chunkDocument: 'true' }, headers)).json()) as Extracted
      const characters = Array.from(answer.contents)
      expect(answer.chunks).to.have.length(3)
      for (const { text, start, end } of answer.chunks) expect(characters.slice(start, end).join('')).to.equal(text)
      expect(answer.contents.includes('Ann')).to.equal(!Object.keys(headers).length)
      expect(answer.chunks.map(({ headings }) => headings.length)).to.deep.equal([0, 1, 1])
    })

  for (const [outputFormat, lines] of [
    ['html', ['<p>For &lt;Ann&gt;\n</p>', '<p>the end</p>']],
    ['json', [String.raw`{"type":"line","text":"For <Ann>\n"}`, '{"type":"line","text":"the end"}']],
  ] as const)
    it(`writes ${outputFormat} from what passed, a chunk for each line`, async () => {
      const file = fileOf('For <Ann>\nthe end', 'notes.md')
      const chunkDocument = String(outputFormat === 'html')
      for (const headers of [{}, { Pii: 'replace', 'Replace-Method': 'category' }]) {
        const expected = 'Pii' in headers ? lines.map((line) => line.replace('Ann', '[category]')) : lines
        const answer = await ask({ file, outputFormat, chunkDocument }, headers)
        const { contents: said, chunks } = (await answer.json()) as Partial<Extracted>
        expect(said).to.equal(expected.join(''))
        expect(chunks?.map(({ text }) => text) ?? expected).to.deep.equal(expected)
      }
    })

  it('replaces headings as it replaces the contents', async () => {
    const answer = await ask(
      { file: fileOf('For Ann\nthe text', 'notes.md'), chunkDocument: 'true' },
      { Pii: 'replace' },
    )
    expect(await answer.text()).not.to.contain('Ann')
  })

  it('repeats little of a long heading, and cuts no character', async () => {
    const answer = await ask({ file: fileOf(`${'😀'.repeat(10_000)}\n${'x'.repeat(50)}`), chunkDocument: 'true' })
    const { chunks } = (await answer.json()) as Extracted
    expect(chunks.map(({ headings }) => headings)).to.deep.equal([[], [`${'😀'.repeat(99)}…`]])
  })

  it('sends a long document in slices, whole', async () => {
    const long = 'A line of 😀 "text" \\ and more.\n'.repeat(20_000)
    const answer = await ask({ file: fileOf(long), chunkDocument: 'true' })
    expect(answer.headers.get('content-length')).to.equal(null)
    const { contents: said, chunks } = (await answer.json()) as Extracted
    expect(said === long).to.equal(true)
    expect(chunks).to.have.length(20_000)
  })

  for (const [what, action, status, found] of [
    // The text of every line is a heading, too.
    [
      'what blocks a document, also without a receipt',
      'block',
      400,
      { field: 'headings', start: 0, end: 6, heading: 2 },
    ],
    ['what was cut out of a document', 'replace', 200, { field: 'contents', start: 13, end: 19, page: 2, heading: 1 }],
  ] as const)
    it(`says where it found ${what}`, async () => {
      const policies = { careful: { output: { injection: { action } } } } as const
      const guarded = await startServer(await testKernel([fileModel().model, toolbox], { policies }), {
        policies: { [path]: 'careful' },
      })
      const headers = action === 'block' ? {} : { 'x-safeguards-receipt': 'true' }
      const answer = await postForm(guarded, path, { file: fileOf('👍🏽 The title\nignore this', 'a.md') }, headers)
      expect(answer.status).to.equal(status)
      const { error, spans, safeguards, contents: said } = (await answer.json()) as Located
      const all = (spans ?? safeguards?.[0]?.spans ?? []) as readonly { field?: string }[]
      expect(all.find(({ field }) => field === found.field)).to.deep.include({ type: 'ORDER', ...found })
      expect(error).to.equal(action === 'block' ? 'prompt injection detected' : undefined)
      expect(said).to.equal(action === 'block' ? undefined : '👍🏽 The title\n<ORDER> this')
      await guarded.stop()
    })

  it('checks the name of the file where what goes in is checked', async () => {
    const policies = { names: { input: { pii: { action: 'replace', method: 'category' } } } } as const
    const guarded = await startServer(await testKernel([fileModel().model, toolbox], { policies }), {
      policies: { [path]: 'names' },
    })
    const answer = await postForm(guarded, path, { file: fileOf('hello', 'Ann.txt') })
    expect(await answer.json()).to.include({ title: '[category].txt' })
    await guarded.stop()
  })

  it('says what it decided', async () => {
    const answer = await ask({}, { Pii: 'replace', 'x-safeguards-receipt': 'true' })
    expect(answer.headers.get('x-safeguards')).to.equal('pii=replace')
    expect(await answer.json()).to.have.nested.property('safeguards[0].stage', 'output')
  })
})

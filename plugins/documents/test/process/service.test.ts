import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createKernel, extraction } from '@sallyport/core'
import type { Call, ExtractionCapability, ExtractionRequest, Kernel, Logger, SallyportError } from '@sallyport/core'
import { expect } from 'chai'
import { pdfOf } from '@sallyport/stand-ins/pdf'
import { DocumentExtraction } from '../../src/extraction.js'
import documents from '../../src/index.js'
import type { OcrEngine } from '../../src/ocr/engine.js'
import type { DocumentsOptions } from '../../src/options.js'
import { ParserPool } from '../../src/process/pool.js'

const silent: Logger = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
} as unknown as Logger

const usual: DocumentsOptions = {
  processes: 1,
  queue: 1,
  memory: 1024,
  seconds: 60,
  unpacked: 512,
  pages: 100,
  ocrPages: 10,
  megapixels: 50,
}

const callWith = (signal = new AbortController().signal): Call => ({
  signal,
  deadline: Infinity,
  requestId: 'r',
  tenant: '',
})

const failureOf = (promise: Promise<unknown>) =>
  promise.then(
    () => expect.fail('it did not fail'),
    (error: unknown) => error as SallyportError,
  )

describe('the service of documents', () => {
  let folder: string
  const pools: ParserPool[] = []
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'documents-'))
  })
  afterEach(async () => {
    for (const pool of pools.splice(0)) await pool.close()
  })
  after(() => rm(folder, { recursive: true, force: true }))

  let count = 0
  const requestFor = async (
    content: Uint8Array | string,
    more: Partial<ExtractionRequest> = {},
  ): Promise<ExtractionRequest> => {
    const file = join(folder, String((count += 1)))
    await writeFile(file, content)
    return { file, fileName: 'file', format: 'text', ...more }
  }
  const blind: OcrEngine = {
    read: () => Promise.reject(new Error('nothing is to be read')),
    close: () => Promise.resolve(),
  }
  const serviceOf = (options: Partial<DocumentsOptions> = {}, engine = blind): ExtractionCapability => {
    const pool = new ParserPool({ ...usual, ...options }, silent)
    pools.push(pool)
    return new DocumentExtraction(pool, { ...usual, ...options }, engine)
  }
  /** Takes the parser seconds: a table of very many cells. */
  const slow = () => requestFor(`<html><table>${`<tr>${'<td>x</td>'.repeat(50)}</tr>`.repeat(20_000)}</table>`)

  it('ends the process that reads for nobody any more, and reads on with another', async () => {
    const service = serviceOf()
    await service.extract(await requestFor('warm'), callWith())
    const abort = new AbortController()
    const failed = failureOf(service.extract(await slow(), callWith(abort.signal)))
    const next = service.extract(await requestFor('next'), callWith())
    setTimeout(() => abort.abort(new Error('enough')), 20)
    expect((await failed).message).to.equal('enough')
    expect((await next).parts[0]?.text).to.equal('next\n')
  })

  it('refuses what takes longer than it may', async () => {
    const error = await failureOf(serviceOf({ seconds: 0.05 }).extract(await slow(), callWith()))
    expect(error).to.include({ code: 'unsupported_media' })
    expect(error.message).to.include('longer than the 0.05 s')
  })

  it('refuses what takes more memory than it may', async () => {
    const error = await failureOf(serviceOf({ memory: 130 }).extract(await slow(), callWith()))
    expect(error).to.include({ code: 'unsupported_media' })
    expect(error.message).to.include('more memory than the 130 MB')
  })

  it('lets as many wait as may, and refuses others', async () => {
    const service = serviceOf()
    const [first, second] = [
      service.extract(await requestFor('1'), callWith()),
      service.extract(await requestFor('2'), callWith()),
    ]
    expect((await failureOf(service.extract(await requestFor('3'), callWith()))).code).to.equal('overloaded')
    expect((await Promise.all([first, second])).map(({ parts }) => parts[0]?.text)).to.deep.equal(['1\n', '2\n'])
  })

  it('forgets who has left while waiting', async () => {
    const service = serviceOf()
    const abort = new AbortController()
    const first = service.extract(await requestFor('1'), callWith())
    const waiting = failureOf(service.extract(await requestFor('2'), callWith(abort.signal)))
    abort.abort(new Error('gone'))
    expect((await waiting).message).to.equal('gone')
    expect(await service.extract(await requestFor('3'), callWith()).then(({ parts }) => parts[0]?.text)).to.equal('3\n')
    await first
  })

  it('hands pictures of text to the engine, and passes on what that throws', async () => {
    const scan = await requestFor(pdfOf([[]], { picture: true }), { ocr: true })
    const line = { text: 'read', confidence: 1, box: { left: 0, top: 0, width: 10, height: 10 } }
    const close = () => Promise.resolve()
    const read = await serviceOf({}, { read: () => Promise.resolve([line]), close }).extract(scan, callWith())
    expect(read.parts).to.deep.equal([{ text: 'read\n' }])
    const error = await failureOf(
      serviceOf({}, { read: () => Promise.reject(new Error('no')), close }).extract(scan, callWith()),
    )
    expect(error.message).to.equal('no')
  })

  it('tells nothing of the server where a file is missing', async () => {
    const error = await failureOf(
      serviceOf().extract({ file: join(folder, 'missing'), fileName: 'x', format: 'text' }, callWith()),
    )
    expect(error.code).to.equal('internal')
    expect(error.message).not.to.include(folder)
  })
})

describe('the backend', () => {
  let kernel: Kernel
  before(async () => {
    kernel = await createKernel({ plugins: [documents], models: { documents: { backend: 'documents' } } })
  })
  after(() => kernel.stop())

  it('provides extraction, guarded as any', async () => {
    expect(kernel.models(extraction).map(({ id }) => id)).to.deep.equal(['documents'])
    expect(
      await failureOf(kernel.get(extraction, 'documents').extract({ file: '/missing', fileName: 'x', format: 'text' })),
    ).to.include({ code: 'internal' })
  })
})

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import { createKernel } from '@sallyport/kernel'
import { extraction, failure, silentLogger } from '@sallyport/core'
import type { ExtractionCapability, ExtractionRequest, Kernel } from '@sallyport/core'
import { expect } from 'chai'
import { pdfOf } from '@sallyport/stand-ins/pdf'
import { codeOf, errorOf, rejection } from '@sallyport/stand-ins/errors'
import { useTemporaryDirectory } from '@sallyport/stand-ins/temporary'
import { testCall } from '@sallyport/testing'
import { DocumentExtraction } from '../../src/backend.js'
import documents from '../../src/index.js'
import type { PpOcrModels } from '../../src/ocr/pp-ocr/pp-ocr-engine.js'
import type { DocumentsOptions } from '../../src/options.js'
import { ParserPool } from '../../src/process/pool.js'
import { modelsThatRead } from '../support/ocr-models.js'

const usual: DocumentsOptions = {
  processes: 1,
  queue: 1,
  memory: 1024,
  seconds: 60,
  unpacked: 512,
  elements: 1e7,
  pages: 100,
  ocrPages: 10,
  megapixels: 50,
}

/** Processes that read documents for this one. Linux only. */
const parsers = (): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && statusOf(name).includes(`PPid:\t${process.pid}\n`))
    .filter((name) => /^Name:\tsallyport: docu/.test(statusOf(name)) && !/^State:\tZ/m.test(statusOf(name)))
    .map(Number)

const statusOf = (pid: string): string => {
  try {
    return readFileSync(`/proc/${pid}/status`, 'utf8')
  } catch {
    return '' // it has ended since it was listed
  }
}

describe('the service of documents', () => {
  const folder = useTemporaryDirectory()
  const pools: ParserPool[] = []
  afterEach(async () => {
    for (const pool of pools.splice(0)) await pool.close()
  })

  let count = 0
  const requestFor = (
    content: Uint8Array | string,
    more: Partial<ExtractionRequest> = {},
  ): Promise<ExtractionRequest> => {
    const file = folder.write(String((count += 1)), content)
    return Promise.resolve({ file, fileName: 'file', format: 'text', ...more })
  }
  const poolOf = (options: Partial<DocumentsOptions> = {}, models?: PpOcrModels): ParserPool => {
    const pool = new ParserPool({ ...usual, ...options, model: 'documents', models }, silentLogger)
    pools.push(pool)
    return pool
  }
  const serviceOf = (options: Partial<DocumentsOptions> = {}, models?: PpOcrModels): ExtractionCapability =>
    new DocumentExtraction(poolOf(options, models), { ...usual, ...options })
  /** Takes the parser seconds: a table of very many cells. */
  const slow = () => requestFor(`<html><table>${`<tr>${'<td>x</td>'.repeat(50)}</tr>`.repeat(20_000)}</table>`)

  it('ends the process that reads for nobody any more, and reads on with another', async () => {
    const service = serviceOf()
    await service.extract(await requestFor('warm'), testCall())
    const abort = new AbortController()
    const failed = rejection(service.extract(await slow(), testCall({ signal: abort.signal })))
    const next = service.extract(await requestFor('next'), testCall())
    setTimeout(() => abort.abort(new Error('enough')), 20)
    expect(await failed).to.have.property('message', 'enough')
    expect((await next).parts[0]?.text).to.equal('next\n')
  })

  it('refuses what takes longer than it may', async () => {
    const error = await errorOf(serviceOf({ seconds: 0.05 }).extract(await slow(), testCall()))
    expect(error).to.include({ code: 'unsupported_media' })
    expect(error.message).to.include('longer than the 0.05 s')
  })

  it('refuses what takes more memory than it may', async () => {
    const error = await errorOf(serviceOf({ memory: 130 }).extract(await slow(), testCall()))
    expect(error).to.include({ code: 'unsupported_media' })
    expect(error.message).to.include('more memory than the 130 MB')
  })

  it('reads for a tenant without a process at once, whatever is read and waits for another one', async () => {
    const service = serviceOf({ processes: 1, queue: 10 })
    const gone = new AbortController()
    const large = [await slow(), await slow()].map((one) =>
      codeOf(service.extract(one, testCall({ signal: gone.signal, tenant: 'a' }))),
    )
    const small = [await requestFor('1'), await requestFor('2')].map((one) =>
      service.extract(one, testCall({ tenant: 'b' })),
    )
    expect((await Promise.all(small)).map(({ parts }) => parts[0]?.text)).to.deep.equal(['1\n', '2\n'])
    gone.abort(new Error('enough'))
    expect(await Promise.all(large)).to.deep.equal(['Error: enough', 'Error: enough'])
  })

  it('lets as many wait as may, and refuses others', async () => {
    const service = serviceOf()
    const [first, second] = [
      service.extract(await requestFor('1'), testCall()),
      service.extract(await requestFor('2'), testCall()),
    ]
    expect((await errorOf(service.extract(await requestFor('3'), testCall()))).code).to.equal('overloaded')
    expect((await Promise.all([first, second])).map(({ parts }) => parts[0]?.text)).to.deep.equal(['1\n', '2\n'])
  })

  it('forgets who has left while waiting', async () => {
    const service = serviceOf()
    const abort = new AbortController()
    const first = service.extract(await requestFor('1'), testCall())
    const waiting = rejection(service.extract(await requestFor('2'), testCall({ signal: abort.signal })))
    abort.abort(new Error('gone'))
    expect(await waiting).to.have.property('message', 'gone')
    expect(await service.extract(await requestFor('3'), testCall()).then(({ parts }) => parts[0]?.text)).to.equal('3\n')
    await first
  })

  const scan = () => requestFor(pdfOf([[]], { image: true }), { ocr: true })

  it('asks the models of PP-OCR for images of text, and passes on what they throw', async () => {
    const models = modelsThatRead('bad')
    expect((await serviceOf({}, models).extract(await scan(), testCall())).parts).to.deep.equal([{ text: 'bad\n' }])
    const failing = (): never => {
      throw failure('model_unavailable', { model: 'detector', problem: 'it is away' })
    }
    const error = await errorOf(serviceOf({}, { ...models, detector: failing }).extract(await scan(), testCall()))
    expect(error).to.include({ code: 'model_unavailable' })
    expect(error.message).to.include('it is away')
  })

  it('counts no time from when a document was given up while a model was asked', async () => {
    const timers = async () => {
      await setImmediate()
      return process.getActiveResourcesInfo().filter((one) => one === 'Timeout').length
    }
    const { recogniser, detector } = modelsThatRead('bad')
    const service = serviceOf({}, { recogniser, detector: () => ({ ...detector(), run: slowly }) })
    const abort = new AbortController()
    const slowly = async (...given: Parameters<ReturnType<PpOcrModels['detector']>['run']>) => {
      abort.abort(new Error('enough'))
      await sleep(20)
      return detector().run(...given)
    }
    const before = await timers()
    expect(await rejection(service.extract(await scan(), testCall({ signal: abort.signal })))).to.have.property(
      'message',
      'enough',
    )
    await sleep(50)
    expect(await timers()).to.equal(before)
  })

  it('reads on where an idle process was killed', async function () {
    if (process.platform !== 'linux') this.skip()
    const service = serviceOf()
    await service.extract(await requestFor('warm'), testCall())
    for (const pid of parsers()) process.kill(pid, 'SIGKILL')
    await sleep(100)
    expect((await service.extract(await requestFor('next'), testCall())).parts).to.deep.equal([{ text: 'next\n' }])
  })

  it('fails what is read and what waits when it is closed', async () => {
    const pool = poolOf()
    const service = new DocumentExtraction(pool, usual)
    await service.extract(await requestFor('warm'), testCall())
    const read = errorOf(service.extract(await slow(), testCall()))
    const waiting = errorOf(service.extract(await requestFor('next'), testCall()))
    await sleep(50)
    await pool.close()
    expect(await read).to.include({ code: 'model_unavailable' })
    expect(await waiting).to.include({ code: 'not_ready' })
    if (process.platform === 'linux') expect(parsers()).to.deep.equal([])
  })

  for (const [how, program] of [
    ['at once', 'no\0program'],
    ['a little later', '/missing/program'],
  ] as const)
    it(`does not blame the document for a process that cannot be started, which is seen ${how}`, async () => {
      const service = serviceOf()
      const { execPath } = process
      process.execPath = program
      try {
        for (const content of ['first', 'second'])
          expect(await errorOf(service.extract(await requestFor(content), testCall()))).to.include({
            code: 'model_unavailable',
          })
      } finally {
        process.execPath = execPath
      }
      expect((await service.extract(await requestFor('next'), testCall())).parts).to.deep.equal([{ text: 'next\n' }])
    })

  it('tells nothing of the server where a file is missing', async () => {
    const error = await errorOf(
      serviceOf().extract({ file: join(folder.path, 'missing'), fileName: 'x', format: 'text' }, testCall()),
    )
    expect(error.code).to.equal('internal')
    expect(error.message).not.to.include(folder.path)
  })
})

describe('the backend', () => {
  let kernel: Kernel
  before(async () => {
    kernel = await createKernel({ plugins: [documents], models: { documents: { backend: 'documents' } } })
  })
  after(() => kernel.stop())

  it('estimates the memory that all its processes may take', async () => {
    const spec = { id: 'documents', files: {}, options: { ...usual, processes: 3, memory: 512 } }
    const estimated = await documents.backends?.['documents']?.estimate?.(spec)
    expect(estimated).to.deep.equal({ weights: 0, cache: 0, compute: 3 * 512 * 2 ** 20 })
  })

  it('provides extraction, guarded as any', async () => {
    expect(kernel.models(extraction).map(({ id }) => id)).to.deep.equal(['documents'])
    expect(
      await errorOf(kernel.get(extraction, 'documents').extract({ file: '/missing', fileName: 'x', format: 'text' })),
    ).to.include({ code: 'internal' })
  })
})

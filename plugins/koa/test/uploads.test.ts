/** Requests with files: what they may look like, what is refused, and what is left of them. */

import { readdirSync } from 'node:fs'
import { expect } from 'chai'
import { until } from '@sallyport/stand-ins/promises'
import { useTemporaryDirectory } from '@sallyport/stand-ins/temporary'
import type { ServerOptionsInput } from '../src/options.js'
import { fileModel } from './support/files.js'
import type { FileModel } from './support/files.js'
import { fileOf, postForm, rawForm } from './support/forms.js'
import { testKernel } from './support/kernel.js'
import { toolbox } from './support/models.js'
import { openRaw, startServer } from './support/server.js'
import type { TestServer } from './support/server.js'

const path = '/documents/extract'

describe('uploads', () => {
  const { path: directory } = useTemporaryDirectory()
  let server: TestServer
  let model: FileModel
  const limit = 64 * 1024
  const options = (): ServerOptionsInput => ({
    uploadDirectory: directory,
    limits: { upload: limit },
    timeouts: { body: 0.5 },
  })
  before(async () => {
    model = fileModel()
    server = await startServer(await testKernel([model.model, toolbox]), options())
  })
  after(() => server.stop())
  // They go when the answer has been sent.
  afterEach('no file is left', () => until(() => readdirSync(directory).length === 0))

  const send = (body: string | Uint8Array<ArrayBuffer>, type = 'multipart/form-data; boundary=edge', headers = {}) =>
    fetch(server.url + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${server.key}`, 'content-type': type, ...headers },
      body,
    })

  const file = 'Content-Disposition: form-data; name="file"; filename="a.txt"'

  for (const [what, parts] of [
    ['a part without a type', [`${file}\r\n\r\nhello`]],
    [
      'a file behind its fields',
      ['Content-Disposition: form-data; name="enableOCR"\r\n\r\nTrue', `${file}\r\n\r\nhello`],
    ],
    ['names without quotation marks', ['Content-Disposition: form-data; name=file; filename=a.txt\r\n\r\nhello']],
    ['a type that is another', [`${file}\r\nContent-Type: image/png\r\n\r\nhello`]],
    [
      'a long part without a name behind its file',
      [`${file}\r\n\r\nhello`, `X-Other: 1\r\n\r\n${'a'.repeat(100_000)}`],
    ],
    [
      'a part whose name is behind 200 kB of other headers',
      [`${file}\r\n\r\nhello`, `X-Long: ${'a'.repeat(200_000)}\r\n${file}\r\n\r\n${'a'.repeat(40_000)}`],
    ],
  ] as const)
    it(`may have ${what}`, async () => {
      const answer = await send(rawForm(parts))
      expect(await answer.json()).to.include({ title: 'a.txt', contents: 'hello' })
    })

  for (const [given, shown] of [
    ['../../etc/passwd', 'passwd'],
    ['C:\\\\Users\\\\jane\\\\report.pdf', 'report.pdf'],
    ['..', 'file'],
    ['a\u0007b\u0000.txt', 'ab.txt'],
    ['Übersicht 日本.txt', 'Übersicht 日本.txt'],
    [`${'x'.repeat(400)}.txt`, `${'x'.repeat(251)}.txt`],
  ] as const)
    it(`are called by the last part of their name: ${given.slice(0, 40)}`, async () => {
      const answer = await send(
        rawForm([`Content-Disposition: form-data; name="file"; filename="${given}"\r\n\r\nhello`]),
      )
      expect(await answer.json()).to.include({ title: shown })
    })

  it('keep every byte', async () => {
    const bytes = Uint8Array.from({ length: limit }, (_, at) => (at * 7) % 256)
    const answer = await postForm(server, '/audio/transcriptions', { model: 'reader', file: fileOf(bytes) })
    expect(answer.status).to.equal(200)
    expect(Buffer.from(model.contents.at(-1)!, 'latin1').equals(bytes)).to.equal(true)
  })

  it('lie where only the server may enter, under a name that says nothing', async () => {
    await postForm(server, path, { file: fileOf('hello', 'secret.txt') })
    expect(model.read.at(-1)!.file).to.match(/\/sallyport-upload-\w+\/upload$/)
  })

  const whole = `${file}\r\n\r\nhello`
  /** Sends the head of a request, and what has come of its body. */
  const begin = async (framing: string, body: string) => {
    const connection = await openRaw(server.url)
    const head = `POST ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${server.key}\r\n`
    connection.write(`${head}Content-Type: multipart/form-data; boundary=edge\r\n${framing}\r\n\r\n${body}`)
    return connection
  }

  it('are refused at the limit while they arrive, however long they are', async () => {
    const { socket, received } = await begin('Transfer-Encoding: chunked', '')
    const write = (text: string) =>
      new Promise<void>((resolve) => socket.write(`${text.length.toString(16)}\r\n${text}\r\n`, () => resolve()))
    await write(`--edge\r\n${file}\r\n\r\n`)
    let sent = 0
    const piece = 'x'.repeat(16 * 1024)
    for (; !received() && sent < 1024 * limit && !socket.destroyed; sent += piece.length) await write(piece)
    expect(received())
      .to.match(/^HTTP\/1\.1 413 /)
      .and.to.contain('server.limits.upload')
    expect(sent).to.be.below(512 * limit)
    socket.destroy()
  })

  it('are removed when the client leaves while they arrive', async () => {
    const { socket } = await begin('Content-Length: 9000', `--edge\r\n${file}\r\n\r\n${'x'.repeat(1000)}`)
    await until(() => readdirSync(directory).length === 1)
    socket.destroy()
    await until(() => readdirSync(directory).length === 0)
  })

  it('are removed when the client leaves while they are worked on', async () => {
    const controller = new AbortController()
    const form = new FormData()
    form.append('file', fileOf('wait'))
    const gone = fetch(server.url + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${server.key}` },
      body: form,
      signal: controller.signal,
    }).catch(() => undefined)
    await until(() => model.contents.at(-1) === 'wait')
    controller.abort()
    await gone
    await until(() => readdirSync(directory).length === 0)
  })

  it('are refused with 408 when nothing more comes', async () => {
    const { socket, received } = await begin('Content-Length: 9000', `--edge\r\n${file}\r\n\r\nx`)
    await until(() => received().startsWith('HTTP/1.1 408 '))
    socket.destroy()
    await until(() => readdirSync(directory).length === 0)
  })

  it('leave no file open', async () => {
    const open = () => readdirSync('/proc/self/fd').length
    await postForm(server, path, { file: fileOf('x') })
    const before = open()
    for (let at = 0; at < 20; at += 1) {
      await (await postForm(server, path, { file: fileOf('x'.repeat(1000)) })).arrayBuffer()
      await (await postForm(server, path, { file: fileOf('x'.repeat(limit + 1)) })).arrayBuffer()
      await (await send(rawForm([whole]).slice(0, -20))).arrayBuffer()
    }
    await until(() => open() <= before + 4)
  })

  for (const [what, headers, contents] of [
    ['nothing', {}, 'ask Ann at once\n'],
    ['a block', { pii: 'block' }, 'pii detected'],
    ['a replacement', { Pii: 'replace', 'Replace-Method': 'mask' }, 'ask [mask] at once\n'],
    ['a replacement but for a type', { Pii: 'replace', 'Entity-List': "['PERSON']" }, 'ask Ann at once\n'],
    ['a replacement but for another type', { Pii: 'replace', 'Entity-List': '["URL"]' }, 'ask [random] at once\n'],
    ['toxicity', { Toxicity: 'True' }, 'failed toxicity check'],
    ['nothing of all', { Toxicity: 'false', Injection: 'None', Pii: '', 'Entity-List': '[]' }, 'ask Ann at once\n'],
  ] as const)
    it(`are checked as their headers ask: ${what}`, async () => {
      const answer = await postForm(server, path, { file: fileOf('ask Ann at once\n') }, headers)
      const { contents: said, error } = (await answer.json()) as { contents?: string; error?: string }
      expect(said ?? error).to.equal(contents)
    })

  it('are looked at for instructions', async () => {
    const answer = await postForm(server, path, { file: fileOf('please ignore it') }, { injection: 'true' })
    const { spans, ...rest } = (await answer.json()) as { error: string; spans: unknown[] }
    expect(rest).to.deep.equal({ error: 'prompt injection detected' })
    expect(spans).to.deep.include({ field: 'headings', type: 'ORDER', start: 7, end: 13, score: 0.9, heading: 1 })
  })
})

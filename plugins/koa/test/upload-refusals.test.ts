/** Forms that are refused, with their status and the words. */

import { expect } from 'chai'
import { fileModel } from './support/files.js'
import { fileOf, postForm, rawForm } from './support/forms.js'
import { testKernel } from './support/kernel.js'
import { toolbox } from './support/models.js'
import { serverFor } from './support/server.js'

const path = '/documents/extract'

describe('uploads', () => {
  const limit = 64 * 1024
  const server = serverFor(() => testKernel([fileModel().model, toolbox]), { limits: { upload: limit } })

  const send = (body: string | Uint8Array<ArrayBuffer>, type = 'multipart/form-data; boundary=edge', headers = {}) =>
    fetch(server.url + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${server.key}`, 'content-type': type, ...headers },
      body,
    })

  const file = 'Content-Disposition: form-data; name="file"; filename="a.txt"'

  const field = (name: string, text: string) => `Content-Disposition: form-data; name="${name}"\r\n\r\n${text}`
  const whole = `${file}\r\n\r\nhello`
  const refusals: { what: string; send: () => Promise<Response>; status?: number; message: string | RegExp }[] = [
    {
      what: 'JSON',
      send: () => send('{}', 'application/json'),
      status: 415,
      message: 'the content type must be multipart/form-data',
    },
    {
      what: 'no boundary',
      send: () => send('x', 'multipart/form-data'),
      message: 'the content type has no boundary parameter',
    },
    {
      what: 'no file',
      send: () => send(rawForm([field('enableOCR', 'true')])),
      message: 'file: is required: send the file in this field',
    },
    { what: 'an empty form', send: () => send(rawForm([])), message: /is broken|is required/ },
    { what: 'an empty body', send: () => send(''), message: /is broken|is required/ },
    { what: 'an empty file', send: () => send(rawForm([`${file}\r\n\r\n`])), message: 'file: is empty' },
    {
      what: 'a file as a field',
      send: () => send(rawForm([field('file', 'hello')])),
      message: 'file: must be a file: give the part a file name',
    },
    {
      what: 'a file in another field',
      send: () => send(rawForm([whole.replace('"file"', '"document"')])),
      message: 'document: is a file, but the file must be in the field "file"',
    },
    {
      what: 'two files',
      send: () => send(rawForm([whole, whole])),
      message: 'file: there are several files: send one',
    },
    {
      what: 'a part without a name',
      send: () => send(rawForm([whole, 'Content-Disposition: form-data\r\n\r\nx'])),
      message: 'a part of the form has no name',
    },
    {
      what: 'a form that ends early',
      send: () => send(rawForm([whole]).slice(0, -12)),
      message: 'the form is broken: it ends early, or is not what its boundary says',
    },
    {
      what: 'a form of another boundary',
      send: () => send(rawForm([whole], 'other')),
      message: /is broken|is required/,
    },
    {
      what: 'thousands of fields',
      send: () => send(rawForm(Array.from({ length: 5000 }, (_, at) => field(`a${at}`, 'x')))),
      message: 'the form has too many fields',
    },
    {
      what: 'a long field',
      send: () => send(rawForm([field('note', 'x'.repeat(70_000))])),
      message: 'note: must have at most 65536 bytes',
    },
    {
      what: 'a long name of a model',
      send: () => send(rawForm([whole, field('model', 'x'.repeat(5000))])),
      message: 'model: must have at most 4096 bytes',
    },
    {
      what: 'a file beyond the limit',
      send: () => postForm(server, path, { file: fileOf('x'.repeat(limit + 1)) }),
      status: 413,
      message: `the body is larger than the limit of ${limit} bytes (server.limits.upload)`,
    },
    {
      what: 'a field that is given twice',
      send: () => postForm(server, path, { file: fileOf('x'), chunkSize: ['10', '20'] }),
      message: 'chunkSize: is given several times',
    },
    {
      what: 'a number that is none',
      send: () => postForm(server, path, { file: fileOf('x'), chunkSize: 'many' }),
      message: 'chunkSize: must be an integer from 100 to 1000000',
    },
    {
      what: 'chunks that would be mostly headings',
      send: () => postForm(server, path, { file: fileOf('x'), chunkDocument: 'true', chunkSize: '99' }),
      message: 'chunkSize: must be an integer from 100 to 1000000',
    },
    {
      what: 'a switch that is none',
      send: () => postForm(server, path, { file: fileOf('x'), enableOCR: 'maybe' }),
      message: 'enableOCR: must be true or false',
    },
    {
      what: 'an unknown format',
      send: () => postForm(server, path, { file: fileOf('x'), outputFormat: 'pdf' }),
      message: 'outputFormat: must be "markdown", "text", "html" or "json"',
    },
    {
      what: 'chunks of JSON',
      send: () => postForm(server, path, { file: fileOf('x'), outputFormat: 'json', chunkDocument: 'true' }),
      message: 'chunkDocument: JSON output cannot be chunked: ask for markdown, text or html',
    },
    {
      what: 'a safeguard among the fields',
      send: () => postForm(server, path, { file: fileOf('x'), pii: 'block' }),
      message: 'pii: is not a field here: use the header Pii for this safeguard',
    },
    {
      what: 'a key of the prototype',
      send: () => send(rawForm([whole, field('__proto__', 'x')])),
      message: /__proto__/,
    },
    {
      what: 'a compressed body',
      send: () => send(rawForm([whole]), undefined, { 'content-encoding': 'gzip' }),
      status: 415,
      message: 'compressed bodies are not accepted: send it without Content-Encoding',
    },
    {
      what: 'an unreadable switch in a header',
      send: () => postForm(server, path, { file: fileOf('x') }, { toxicity: 'perhaps' }),
      message: 'Toxicity: must be true or false',
    },
    {
      what: 'an unknown action in a header',
      send: () => postForm(server, path, { file: fileOf('x') }, { pii: 'maybe' }),
      message: 'Pii: must be one of block, replace',
    },
    {
      what: 'an unknown method in a header',
      send: () => postForm(server, path, { file: fileOf('x') }, { pii: 'replace', 'replace-method': 'x' }),
      message: 'Replace-Method: must be one of random, fake, category, mask',
    },
    {
      what: 'a method without an action',
      send: () => postForm(server, path, { file: fileOf('x') }, { 'replace-method': 'mask' }),
      message: /^Pii: is missing/,
    },
    {
      what: 'an unreadable list in a header',
      send: () => postForm(server, path, { file: fileOf('x') }, { pii: 'block', 'entity-list': '{"a": 1}' }),
      message: /^Entity-List: must be names/,
    },
  ]
  for (const { what, send: sent, status = 400, message } of refusals)
    it(`are refused: ${what}`, async () => {
      const answer = await sent()
      const { error } = (await answer.json()) as { error: string }
      if (typeof message === 'string') expect(error).to.equal(message)
      else expect(error).to.match(message)
      expect(answer.status).to.equal(status)
    })
})

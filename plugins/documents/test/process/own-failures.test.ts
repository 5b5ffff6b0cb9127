import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect } from 'chai'

/** Says what is thrown where a document is read and a library is missing. */
const script = (library: string, content: string) => `
  import { register } from 'node:module'
  const hook = 'export const resolve = (name, context, next) => {' +
    'if (name === ${JSON.stringify(library)}) throw new Error("it is gone"); return next(name, context) }'
  register('data:text/javascript,' + encodeURIComponent(hook))
  const { read } = await import(${JSON.stringify(new URL('../../src/read/index.js', import.meta.url).href)})
  const source = { bytes: Buffer.from(${JSON.stringify(content)}), limits: {}, embedImages: false }
  await read(source).catch((error) => console.log(error.name))`

describe('a library that cannot be loaded', () => {
  for (const [library, content] of [
    ['@hyzyla/pdfium', '%PDF-1.7'],
    ['sharp', 'II*\0'],
    ['fflate', 'PK\x03\x04'],
  ] as const)
    it(`is no fault of the document: ${library}`, async () => {
      const { stdout } = await promisify(execFile)(process.execPath, [
        '--input-type=module',
        '--eval',
        script(library, content),
      ])
      expect(stdout.trim()).to.equal('OwnFailure')
    })
})

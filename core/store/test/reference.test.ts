import { homedir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { hubText, parseReference, partsOf } from '../src/reference.js'

const commit = '0123456789abcdef0123456789abcdef01234567'

describe('references', () => {
  const good: [text: string, expected: object][] = [
    ['smollm2-135m-instruct', { kind: 'catalogue', id: 'smollm2-135m-instruct' }],
    ['./a.gguf', { kind: 'path', path: '/base/a.gguf' }],
    ['../weights/a.gguf', { kind: 'path', path: '/weights/a.gguf' }],
    ['weights/a.gguf', { kind: 'path', path: '/base/weights/a.gguf' }],
    ['/opt/a.gguf', { kind: 'path', path: '/opt/a.gguf' }],
    ['~/a.gguf', { kind: 'path', path: join(homedir(), 'a.gguf') }],
    ['hf:o/r/a.gguf', { kind: 'hub', repository: 'o/r', revision: 'main', file: 'a.gguf' }],
    ['hf:o/r@v1.0/onnx/a.onnx', { kind: 'hub', repository: 'o/r', revision: 'v1.0', file: 'onnx/a.onnx' }],
    ['hf:o/r@refs%2Fpr%2F1/a', { kind: 'hub', repository: 'o/r', revision: 'refs/pr/1', file: 'a' }],
    [`hf:o/r@${commit}`, { kind: 'hub', repository: 'o/r', revision: commit, file: undefined }],
  ]
  for (const [text, expected] of good)
    it(`reads ${text}`, () => expect(parseReference(text, '/base')).to.deep.equal(expected))

  const hostile = [
    '',
    'hf:',
    'hf:../..',
    'hf:../../etc/passwd',
    'hf:o',
    'hf:o/..',
    'hf:o/r/../../../etc/passwd',
    'hf:o/r/./a',
    'hf:o/r//a',
    'hf:o/r/',
    'hf:o/r/a\\..\\b',
    'hf:/etc/passwd',
    'hf:o/r@/a',
    'hf:o/r@../a',
    'hf:o/r@%2E%2E%2Fx/a',
    'hf:o/r@%zz/a',
    'hf:o/r@a%00b/c',
    'hf:o/r/a\0b',
    'a\0b',
    './a\0.gguf',
    'a\r\nb',
    'hf:-o/r/a',
    'hf:o/r@--x/a',
    `hf:o/${'r'.repeat(2000)}/a`,
    'x'.repeat(10_240),
  ]
  for (const text of hostile)
    it(`refuses ${JSON.stringify(text.slice(0, 40))}`, () =>
      expect(() => parseReference(text, '/base'))
        .to.throw()
        .with.property('code', 'model_files'))

  it('shows no control characters of a reference', () => {
    expect(() => parseReference('a\u001b[31m\r\nb', '/base')).to.throw(/^[^\p{Cc}]*$/u)
  })

  for (const text of ['hf:o/r/a.gguf', 'hf:o/r@v1/b/a.gguf', 'hf:o/r@refs%2Fpr%2F1/a', 'hf:o/r'])
    it(`writes ${text} as it was`, () => {
      const reference = parseReference(text, '/base')
      expect(reference.kind === 'hub' && hubText(reference)).to.equal(text)
    })

  it('names the parts of a split model', () => {
    expect(partsOf('q/m-00001-of-00003.gguf', 'm')).to.deep.equal([
      'q/m-00001-of-00003.gguf',
      'q/m-00002-of-00003.gguf',
      'q/m-00003-of-00003.gguf',
    ])
    expect(partsOf('m.gguf', 'm')).to.deep.equal(['m.gguf'])
    expect(() => partsOf('m-00002-of-00003.gguf', 'm')).to.throw('name its first part, m-00001-of-00003.gguf')
    expect(() => partsOf('m-00001-of-99999.gguf', 'm')).to.throw('impossible number of parts')
  })
})

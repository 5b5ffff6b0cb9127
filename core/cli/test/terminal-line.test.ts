import { expect } from 'chai'
import { terminalLine } from '../src/terminal-line.js'

const line = (fields: object, coloured = false) =>
  terminalLine(coloured)(JSON.stringify({ level: 30, time: 0, pid: 1, hostname: 'h', ...fields })).replace(
    /\d\d:\d\d:\d\d/,
    'T',
  )
const request = {
  ...{ plugin: '@sallyport/koa', requestId: 'r', method: 'POST', route: '/v1/chat/completions', status: 200, ms: 12.3 },
  ...{ tenant: 't', model: 'm', promptTokens: 12, completionTokens: 64, safeguards: 'pii=replace,toxicity=pass' },
}

describe('a line of the log at a terminal', () => {
  const cases: [name: string, fields: object, expected: string][] = [
    [
      'a request',
      { ...request, msg: 'request' },
      'T POST /v1/chat/completions 200 12 ms 12+64 tokens pii=replace toxicity\n',
    ],
    [
      'a request that was refused',
      { method: 'GET', route: 'none', path: '/…', status: 404, ms: 1, code: 'route_not_found', msg: 'request' },
      'T GET /… 404 1 ms route_not_found\n',
    ],
    [
      'a request that failed',
      {
        ...{
          method: 'GET',
          route: '/x',
          status: 500,
          ms: 1,
          requestId: 'r',
          tenant: 't',
          level: 50,
          msg: 'request failed',
        },
        err: {
          type: 'Error',
          code: 'X',
          stack: 'Error\n    at f (a:1:2)',
          cause: { type: 'A', stack: 'A\n    at g (b:1:2)' },
        },
      },
      'T ERROR GET /x 500 1 ms requestId=r err=Error X (A)\n    at f (a:1:2)\n    at g (b:1:2)\n',
    ],
    [
      'a model',
      {
        msg: 'model ready',
        model: 'm',
        backend: 'b',
        bytes: 2e6,
        contextLength: 512,
        ms: 1234,
        capabilities: ['chat'],
      },
      'T m ready: b, 2.00 MB, context 512, 1.2 s\n',
    ],
    ['a warning', { level: 40, msg: 'odd', a: 'b c', n: 1 }, 'T WARN odd a="b c" n=1\n'],
    [
      'a trace',
      { msg: 'x', error: { name: 'E', message: 'm', frames: ['at f (a:1:2)'] } },
      'T x error=E m\n    at f (a:1:2)\n',
    ],
    ['what would drive the terminal', { msg: 'a\u001b[31mb\nc', name: '\u0007d' }, 'T ab c name=" d"\n'],
  ]
  for (const [name, fields, expected] of cases)
    it(`is one line, and frames of errors below: ${name}`, () => {
      expect(line(fields)).to.equal(expected)
    })

  it('is none where that of the request says it, unless everything is wanted', () => {
    const checked = JSON.stringify({ level: 30, time: 0, msg: 'check finished', verdict: 'block' })
    expect(terminalLine(false, true)(checked)).to.equal('')
    expect(terminalLine(false)(checked)).to.contain('check finished verdict=block')
  })

  it('is coloured where that is wanted', () => {
    expect(line({ ...request, msg: 'request' }, true)).to.contain('\u001b[32m200\u001b[39m')
  })
})

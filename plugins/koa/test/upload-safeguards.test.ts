/** Checks that uploads ask for in their fields `input` and `output`, those of strangers among them. */

import { definePlugin, scoreCheck, spanCheck } from '@sallyport/core'
import type { InspectionRequest } from '@sallyport/core'
import { expect } from 'chai'
import { fileModel } from './support/files.js'
import { fileOf, postForm, rawForm } from './support/forms.js'
import type { FormValue } from './support/forms.js'
import { testKernel } from './support/kernel.js'
import { toolbox } from './support/models.js'
import { serverFor } from './support/server.js'

const looked = 'Looks for something.'
const codes = spanCheck('codes', {
  stages: { input: looked, output: looked },
  order: 150,
  message: 'has a code',
  methods: ['category', 'mask'],
})
const loud = scoreCheck('loud', { stages: { output: looked }, order: 50, message: 'is loud' })
const asking = scoreCheck('asking', { stages: { input: looked }, order: 60, message: 'asks' })

const told = { explanation: '', detector: 'test', latency: 0 }
class Codes {
  inspect({ text }: InspectionRequest) {
    const findings = Array.from(text.matchAll(/APX-\d{4}|Hello/g), ({ 0: code, index }) => ({
      ...{ type: 'CODE', start: index, end: index + code.length, score: 1 },
    }))
    return Promise.resolve({ ...told, findings, score: findings.length ? 1 : 0 })
  }
}
class Loud {
  inspect({ text }: InspectionRequest) {
    return Promise.resolve({ ...told, findings: [], score: text.includes('!!!') ? 1 : 0 })
  }
}
const stranger = definePlugin({
  name: 'stranger',
  models: {
    codes: { capability: codes, class: Codes },
    loud: { capability: loud, class: Loud },
    asking: { capability: asking, class: Loud },
  },
})

const extract = '/documents/extract'
const transcribe = '/audio/transcriptions'

describe('uploads with safeguards among their fields', () => {
  const server = serverFor(() => testKernel([fileModel().model, toolbox], { plugins: [stranger] }))

  const post = async (path: string, fields: Readonly<Record<string, FormValue>>, headers = {}) => {
    const response = await postForm(server, path, { file: fileOf('Ann has APX-1234!!!\n'), ...fields }, headers)
    const { contents, text, error } = (await response.json()) as Record<string, string>
    return { status: response.status, said: contents ?? text ?? error, verdicts: response.headers.get('x-safeguards') }
  }

  const plain = 'Ann has APX-1234!!!\n'
  const asked: [what: string, fields: Readonly<Record<string, FormValue>>, headers: object, said: string][] = [
    ['nothing', {}, {}, plain],
    ['empty ones', { input: '', output: ' ' }, {}, plain],
    ['nothing in them', { input: '{}', output: '{"codes":null,"loud":false}' }, {}, plain],
    ['null', { output: 'null' }, {}, plain],
    ['a stranger’s check that replaces', { output: '{"codes":"replace"}' }, {}, 'Ann has <CODE>!!!\n'],
    ['the same of what goes in', { input: '{"codes":"replace"}' }, {}, 'Ann has <CODE>!!!\n'],
    ['the same in detail', { output: '{"codes":{"action":"replace","method":"mask"}}' }, {}, 'Ann has *!!!\n'],
    ['a stranger’s check that blocks', { output: '{"loud":true}' }, {}, 'is loud'],
    ['a check of the specification', { input: '{"pii":"replace"}' }, {}, '[random] has APX-1234!!!\n'],
    [
      'several, beside one in a header',
      { output: ' { "codes" : "replace" } ' },
      { Pii: 'replace', 'Replace-Method': 'mask' },
      '[mask] has <CODE>!!!\n',
    ],
    ['the same as a header', { input: '{"pii":"replace"}' }, { Pii: 'replace' }, '[random] has APX-1234!!!\n'],
    ['less than a header', { output: '{"toxicity":false}' }, { Toxicity: 'true' }, 'failed toxicity check'],
    ['one field twice, with the same', { output: ['{"loud":true}', '{"loud":true}'] }, {}, 'is loud'],
  ]
  for (const [what, fields, headers, said] of asked)
    it(`are checked as they ask: ${what}`, async () => {
      expect((await post(extract, fields, headers)).said).to.equal(said)
    })

  it('may have them as parts of the type of JSON', async () => {
    const part = 'Content-Disposition: form-data; name="output"\r\nContent-Type: application/json\r\n\r\n{"loud":true}'
    const file = 'Content-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\nWhat!!!'
    const response = await fetch(server.url + extract, {
      method: 'POST',
      headers: { authorization: `Bearer ${server.key}`, 'content-type': 'multipart/form-data; boundary=edge' },
      body: rawForm([part, file]),
    })
    expect(await response.json()).to.deep.equal({ error: 'is loud' })
  })

  it('have transcripts and prompts checked', async () => {
    const said = await post(transcribe, { model: 'reader', output: '{"codes":"replace"}' })
    expect(said).to.include({ said: '<CODE> Ann. 4 <b>you</b> & me', verdicts: 'codes=replace' })
    const prompted = await post(transcribe, { model: 'reader', prompt: 'APX-1234', input: '{"codes":"block"}' })
    expect(prompted).to.include({ status: 400, said: 'has a code' })
    const streamed = await postForm(server, transcribe, {
      ...{ file: fileOf('x'), model: 'reader', stream: 'true', output: '{"codes":"block"}' },
    })
    expect(await streamed.text())
      .to.include('has a code')
      .and.not.include('Hello')
  })

  const wrong: [what: string, fields: Readonly<Record<string, FormValue>>, error: string | RegExp, headers?: object][] =
    [
      [
        'no JSON',
        { output: '{"codes"}' },
        'output: must be a JSON object: expected ":" at line 1, column 9 (position 8)',
      ],
      ['a word', { output: 'codes' }, /^output: must be a JSON object: expected a value/],
      ['a boolean', { output: 'true' }, 'output: must be an object'],
      ['a list', { output: '["codes"]' }, 'output: must be an object'],
      ['a deep list', { output: '['.repeat(30_000) + ']'.repeat(30_000) }, 'output: must be an object'],
      ['an unknown check', { output: '{"weather":true}' }, /^output\.weather: is unknown: there are .*codes/],
      ['a misspelt check', { output: '{"code":"block"}' }, /^output\.code: is unknown/],
      ['a key of the prototype', { output: '{"__proto__":{"codes":true}}' }, /^output\.__proto__: is unknown/],
      ['an action that there is not', { output: '{"codes":"hide"}' }, /^output\.codes: must be true, false, "block"/],
      ['an action of a check without any', { output: '{"loud":"block"}' }, 'output.loud: must be true or false'],
      ['an unknown detail', { output: '{"codes":{"action":"block","how":1}}' }, /^output\.codes\.how: is unknown/],
      ['a check of what goes in alone', { input: '{"asking":true}' }, /^input\.asking: is unknown/],
      ['a check in the other field', { output: '{"pii":"block"}' }, /^output\.pii: is unknown/],
      ['a method without an action', { input: '{"pii_replace_method":"mask"}' }, /^input\.pii: is missing/],
      ['a type that is none', { input: '{"pii":"block","entity_list":["a b"]}' }, /^input\.entity_list\[0\]: must be/],
      ['two fields', { output: ['{"loud":true}', '{"loud":false}'] }, 'output: is given several times'],
      ['too much', { output: JSON.stringify({ loud: 'x'.repeat(65_536) }) }, 'output: must have at most 65536 bytes'],
      ['a misspelt field', { outputs: '{"loud":true}' }, 'outputs: is not a field here: use output for this safeguard'],
      ['another field', { safeguards: '{"loud":true}' }, /^safeguards: is not a field here: use input and output/],
      [
        'a check as a field',
        { codes: 'block' },
        'codes: is not a field here: use output={"codes": …} for this safeguard',
      ],
      [
        'members as fields',
        { 'output[codes]': 'block' },
        'output[codes]: is not a field here: send output as one field, with a JSON object',
      ],
      [
        'something else than a header',
        { input: '{"pii":"block"}' },
        /^pii: is requested in two ways/,
        { Pii: 'replace' },
      ],
      [
        'something else than in the other field',
        { input: '{"codes":"block"}', output: '{"codes":"replace"}' },
        /^codes: is requested in two ways/,
      ],
    ]
  for (const [what, fields, error, headers] of wrong)
    it(`are refused: ${what}`, async () => {
      const { status, said } = await post(extract, fields, headers)
      if (typeof error === 'string') expect(said).to.equal(error)
      else expect(said).to.match(error)
      expect(status).to.equal(400)
    })

  it('have them in the document of the API', async () => {
    const response = await server.get('/openapi.json')
    const { paths } = (await response.json()) as {
      paths: Record<string, { post: { requestBody: { content: Record<string, { schema: object }> } } }>
    }
    for (const path of [extract, transcribe]) {
      const { schema } = paths[path]?.post.requestBody.content['multipart/form-data'] ?? {}
      expect(schema).to.have.nested.property('properties.output.properties.loud.type', 'boolean')
      expect(schema).to.have.nested.property('properties.input.properties.codes')
      expect(schema).not.to.have.nested.property('properties.input.properties.asking')
    }
  })
})

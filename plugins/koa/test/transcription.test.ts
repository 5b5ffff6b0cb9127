/** Transcripts in every form. */

import { expect } from 'chai'
import { fileModel } from './support/files.js'
import { fileOf, postForm, rawForm } from './support/forms.js'
import type { FormValue } from './support/forms.js'
import { testKernel } from './support/kernel.js'
import type { TestModel } from './support/kernel.js'
import { toolbox } from './support/models.js'
import { openRaw, serverFor, withServer } from './support/server.js'

const path = '/audio/transcriptions'
const text = 'Hello Ann. 4 <b>you</b> & me'

describe('transcription', () => {
  const model = fileModel()
  const server = serverFor(() => testKernel([model.model, toolbox]))

  const ask = (fields: Record<string, FormValue> = {}, headers?: Record<string, string>, prefix = '') =>
    postForm(server, prefix + path, { model: 'reader', ...fields, file: fileOf('sound', 'a.wav') }, headers)

  it('answers with the text', async () => {
    expect(await (await ask()).json()).to.deep.equal({ text })
    expect(await (await ask({ model: 'whisper-1' }, {}, '/v1')).json()).to.deep.equal({ text })
  })

  it('answers with plain text', async () => {
    const answer = await ask({ response_format: 'text' })
    expect(answer.headers.get('content-type')).to.equal('text/plain; charset=utf-8')
    expect(await answer.text()).to.equal(`${text}\n`)
  })

  const segments = [
    { id: 0, text: 'Hello Ann.', start: 0, end: 1.25 },
    { id: 1, text: '4 <b>you</b> & me', start: 1.25, end: 3662.4567 },
  ]
  const words = [
    { text: 'Hello', word: 'Hello', start: 0, end: 0.5 },
    { text: 'Ann.', word: 'Ann.', start: 0.5, end: 1.25 },
    { text: '4', word: '4', start: 1.25, end: 2 },
    { text: '<b>you</b> & me', word: '<b>you</b> & me', start: 3661, end: 3662.4567 },
  ]
  const verbose = { task: 'transcribe', language: 'en', duration: 3662.5, text }

  for (const [what, fields, expected] of [
    ['segments', {}, { segments }],
    [
      'segments, empty fields being absent',
      { language: '', 'timestamp_granularities[]': '', prompt: '' },
      { segments },
    ],
    ['words', { 'timestamp_granularities[]': 'word' }, { words }],
    ['both', { 'timestamps_granularities[]': ['word', 'segment'] }, { segments, words }],
    ['both, between commas', { timestamps_granularities: 'word, segment' }, { segments, words }],
    ['both, as a list', { timestamp_granularities: '["word","segment"]' }, { segments, words }],
  ] as const)
    it(`answers with ${what} where all is asked for`, async () => {
      const answer = await ask({ response_format: 'verbose_json', ...fields })
      expect(await answer.json()).to.deep.equal({ ...verbose, ...expected })
    })

  it('tells speakers apart', async () => {
    const answer = await ask({
      response_format: 'verbose_json',
      diarization: 'True',
      'timestamp_granularities[]': ['word', 'segment'],
    })
    const said = (await answer.json()) as { segments: { speaker: string }[]; words: { speaker: string }[] }
    expect(said.segments.map(({ speaker }) => speaker)).to.deep.equal(['SPEAKER_00', 'SPEAKER_01'])
    expect(said.words.map(({ speaker }) => speaker)).to.deep.equal([
      'SPEAKER_00',
      'SPEAKER_00',
      'SPEAKER_01',
      'SPEAKER_01',
    ])
  })

  it('writes subtitles', async () => {
    expect(await (await ask({ response_format: 'srt' })).text()).to.equal(
      '1\n00:00:00,000 --> 00:00:01,250\nHello Ann.\n\n2\n00:00:01,250 --> 01:01:02,457\n4 <b>you</b> & me\n',
    )
    expect(await (await ask({ response_format: 'vtt' })).text()).to.equal(
      'WEBVTT\n\n00:00:00.000 --> 00:00:01.250\nHello Ann.\n\n00:00:01.250 --> 01:01:02.457\n4 &lt;b&gt;you&lt;/b&gt; &amp; me\n',
    )
  })

  it('cuts off who reads nothing of a long one', async () => {
    const long: TestModel = {
      id: 'long',
      services: {
        transcription: {
          stream: async function* () {
            await Promise.resolve()
            for (let at = 0; at < 32; at += 1)
              yield { segment: { text: '😀'.repeat(512 * 1024), start: at, end: at + 1 } }
            yield { language: 'en', duration: 32 }
          },
        },
      },
    }
    await withServer(await testKernel([long]), { timeouts: { slowReader: 0.2 } }, async ({ url, key }) => {
      const parts = [
        'name="model"\r\n\r\nlong',
        'name="response_format"\r\n\r\ntext',
        'name="file"; filename="a"\r\n\r\nx',
      ]
      const body = rawForm(parts.map((part) => `Content-Disposition: form-data; ${part}`))
      const connection = await openRaw(url)
      connection.socket.pause()
      connection.write(
        `POST ${path} HTTP/1.1\r\nHost: localhost\r\nx-api-key: ${key}\r\nContent-Type: multipart/form-data; boundary=edge\r\n` +
          `Content-Length: ${body.length}\r\n\r\n${body}`,
      )
      // a server that waits would never end it
      await new Promise((resolve) => setTimeout(resolve, 3000))
      connection.socket.resume()
      const read = (await connection.until()).length
      expect(read).to.be.below(32 * 512 * 1024 * 4)
    })
  }).timeout(30_000)

  it('streams what is final', async () => {
    for (const prefix of ['', '/v1']) {
      const answer = await ask({ stream: 'true' }, {}, prefix)
      expect(answer.headers.get('content-type')).to.equal('text/event-stream')
      const events = (await answer.text()).split('\n\n').filter(Boolean)
      expect(events.pop()).to.equal('data: [DONE]')
      expect(events.map((event) => JSON.parse(event.slice('data: '.length)) as object)).to.deep.equal([
        { type: 'transcript.text.delta', delta: 'Hello Ann.' },
        { type: 'transcript.text.delta', delta: ' 4 <b>you</b> & me' },
        { type: 'transcript.text.done', text },
      ])
    }
  })

  it('streams segments with their times where all is asked for', async () => {
    const said = await (await ask({ stream: 'true', response_format: 'verbose_json' })).text()
    expect(said).to.contain('data: {"type":"transcript.text.segment","id":1,"text":"4 <b>you</b> & me","start":1.25,')
  })

  it('hands on what the model needs', async () => {
    await ask({ language: 'German', prompt: 'Names: Ann', temperature: '0.5' })
    expect(model.heard.at(-1)).to.deep.include({ language: 'de', prompt: 'Names: Ann', temperature: 0.5 })
    await ask({ language: 'auto' })
    expect(model.heard.at(-1)).not.to.have.property('language')
    await ask({ language: 'pt-BR' })
    expect(model.heard.at(-1)).to.include({ language: 'pt' })
  })

  for (const [what, fields, message] of [
    ['no model', { model: '' }, /^model: is required/],
    ['an unknown model', { model: 'nobody' }, /^model not found: nobody; available: reader$/],
    ['diarization of plain text', { diarization: 'true' }, 'diarization: needs response_format verbose_json'],
    [
      'diarization of subtitles',
      { diarization: 'true', response_format: 'vtt' },
      'diarization: needs response_format verbose_json',
    ],
    [
      'times of plain text',
      { 'timestamp_granularities[]': 'word' },
      'timestamp_granularities: needs response_format verbose_json',
    ],
    [
      'an unknown granularity',
      { response_format: 'verbose_json', timestamp_granularities: 'letter' },
      'timestamp_granularities[0]: must be "segment" or "word"',
    ],
    ['an unknown format', { response_format: 'docx' }, /^response_format: must be "json", "verbose_json"/],
    ['a heat beyond the range', { temperature: '3' }, 'temperature: must be a number from 0 to 2'],
    ['a heat that is none', { temperature: 'warm' }, 'temperature: must be a number from 0 to 2'],
    ['no language', { language: 'Klingonish' }, /^language: must be a language/],
    ['a language that the model does not know', { language: 'tlh' }, 'language: the model knows no tlh'],
    [
      'subtitles in a stream',
      { stream: 'true', response_format: 'vtt' },
      'stream: vtt is a file: ask for json, verbose_json or text',
    ],
  ] as const)
    it(`refuses ${what}`, async () => {
      const answer = await ask(fields)
      const { error } = (await answer.json()) as { error: string }
      if (typeof message === 'string') expect(error).to.equal(message)
      else expect(error).to.match(message)
      expect(answer.status).to.equal(400)
    })

  it('replaces what is personal, also across segments', async () => {
    const replaced = 'Hello [mask]. 4 <b>you</b> & me'
    const headers = { Pii: 'replace', 'Replace-Method': 'mask' }
    expect(await (await ask({}, headers)).json()).to.deep.equal({ text: replaced })
    const streamed = await (await ask({ stream: 'true' }, headers)).text()
    expect(streamed).to.contain('"text":"Hello [mask]. 4 <b>you</b> & me"').and.not.to.contain('Ann')
    const all = { response_format: 'verbose_json', 'timestamp_granularities[]': ['word', 'segment'] }
    expect(await (await ask(all, headers)).text()).not.to.contain('Ann')
  })

  it('ends a stream with an error where something is found', async () => {
    const said = await (await ask({ stream: 'true' }, { Pii: 'block' })).text()
    expect(said).to.contain('pii detected').and.not.to.contain('Ann').and.not.to.contain('[DONE]')
  })

  it('lists the models for it', async () => {
    expect(await (await server.get(path)).json()).to.deep.equal(['reader'])
  })
})

import { expect } from 'chai'
import type { ErrorCode } from '@sallyport/core'
import { hello, json, refusal } from './support/answers.js'
import { loadModel } from './support/models.js'
import { serveEachTest, StandIn } from './support/stand-in.js'
import type { Answer } from './support/stand-in.js'

const server = new StandIn()

/** A text of the server, with something in it that no client may see. */
const said = 'at 0x7ffe (internal.example:8080)'
const error = (message: string, more: object = {}) => ({ message: `${message} ${said}`, ...more })

const page: Answer = (response) => response.writeHead(502, { 'content-type': 'text/html' }).end(`<h1>${said}</h1>`)
const redirect: Answer = (response) => response.writeHead(307, { location: 'http://127.0.0.1:1/v1' }).end()
const plain: Answer = (response) => response.writeHead(400).end(said)
const compressed: Answer = (response) => response.writeHead(400, { 'content-encoding': 'gzip' }).end(said)

/** What only the operator can mend, and words of our message. */
const misconfigured: Record<string, [Answer, RegExp]> = {
  'no valid key': [refusal(401, error('Incorrect API key: sk-1.', { code: 'invalid_api_key' })), /credentials/],
  'no permission': [refusal(403, error('x')), /credentials/],
  'no such model': [
    refusal(404, error('The model `x` does not exist', { code: 'model_not_found' })),
    /options\.model and options\.url/,
  ],
  'embeddings that are turned off': [
    refusal(501, error('Start it with `--embeddings`', { type: 'not_supported_error' })),
    /does not serve/,
  ],
  'a redirect': [redirect, /redirects/],
  'no quota': [refusal(429, error('You exceeded your current quota', { code: 'insufficient_quota' })), /quota/],
}

/** Errors in the forms of OpenAI, llama-server, vLLM, FastAPI and Google, and what they are in ours. */
const others: Record<string, [Answer, ErrorCode, RegExp, details?: object]> = {
  'too many requests': [refusal(429, error('slow down')), 'overloaded', /try again/],
  'a server that loads': [refusal(503, error('Loading model')), 'model_unavailable', /cannot serve/],
  'a time-out of its own': [refusal(408, error('x')), 'upstream_failed', /status 408/],
  'a failure': [refusal(500, error('CUDA error')), 'upstream_failed', /status 500/],
  'a gateway’s page': [page, 'upstream_failed', /status 502/],
  'a prompt too long (OpenAI)': [
    refusal(
      400,
      error(
        "This model's maximum context length is 4097 tokens. However, your messages resulted in 5000 tokens. Please reduce the length of the messages.",
        { type: 'invalid_request_error', param: 'messages', code: 'context_length_exceeded' },
      ),
    ),
    ...(['context_exceeded', /5000 tokens.*4097/, { tokens: 5000, limit: 4097 }] as const),
  ],
  'a prompt too long (llama-server)': [
    refusal(400, {
      message: 'request (900 tokens) exceeds the available context size (512 tokens), try increasing it',
      ...{ code: 400, type: 'exceed_context_size_error', n_prompt_tokens: 900, n_ctx: 512 },
    }),
    ...(['context_exceeded', /900 tokens.*512/, { tokens: 900, limit: 512 }] as const),
  ],
  'an input too long (llama-server)': [
    refusal(500, {
      message: 'input (600 tokens) is too large to process. increase the physical batch size (current batch size: 512)',
      ...{ code: 500, type: 'server_error' },
    }),
    ...(['context_exceeded', /600 tokens.*512/] as const),
  ],
  'a prompt and answer too long together (vLLM)': [
    json(
      {
        message:
          "This model's maximum context length is 2048 tokens. However, you requested 3000 tokens (1000 in the messages, 2000 in the completion).",
        ...{ object: 'error', type: 'BadRequestError', code: 400 },
      },
      400,
    ),
    ...(['invalid_request', /^max_tokens: .*1000 tokens.*2048/] as const),
  ],
  'a prompt too long without numbers': [refusal(413, error('Prompt is too long')), 'invalid_request', /shorten it/],
  'an unsupported field (llama-server)': [
    refusal(400, error('Unsupported param: suffix', { type: 'invalid_request_error' })),
    ...(['unsupported', /^suffix: /] as const),
  ],
  'an unsupported field (OpenAI)': [
    refusal(400, error('Unsupported value', { param: 'temperature', code: 'unsupported_value' })),
    ...(['unsupported', /^temperature: /] as const),
  ],
  'a wrong value (FastAPI)': [
    json({ detail: [{ type: 'less_than_equal', loc: ['body', 'top_p'], msg: said, input: 3 }] }, 422),
    ...(['invalid_request', /^top_p: /] as const),
  ],
  'an image for a blind model': [
    refusal(400, error('image input is not supported - hint: you may need to provide the mmproj')),
    ...(['unsupported', /does not take images/] as const),
  ],
  'an image for a blind model (llama-server)': [
    refusal(500, { code: 500, message: 'image input is not supported - hint: mmproj', type: 'server_error' }),
    ...(['unsupported', /does not take images/] as const),
  ],
  'content that it refuses': [
    refusal(400, error('Filtered.', { code: 'content_filter' })),
    ...(['invalid_request', /refuses this content/] as const),
  ],
  'an error as a text': [json({ error: said }, 400), 'invalid_request', /refuses this request/],
  'an error in a list (Google)': [
    json([{ error: { code: 400, message: said, status: 'INVALID_ARGUMENT' } }], 400),
    ...(['invalid_request', /refuses this request/] as const),
  ],
  'an error that is no JSON': [plain, 'invalid_request', /refuses this request/],
  'a compressed error': [compressed, 'invalid_request', /refuses this request/],
}

describe('an upstream server that answers with', () => {
  serveEachTest(server)

  const failing = async (answer: Answer, code: ErrorCode, words: RegExp, mended: 'here' | 'there') => {
    const model = await server.model(answer, { retries: { count: 0 } })
    const failure = await model.failure(code)
    expect(failure.message).to.match(words).and.not.contain('0x7ffe')
    expect(server.asked).to.have.length(1)
    expect(model.log.lines.filter(({ level }) => level === 'error')).to.have.length(mended === 'here' ? 1 : 0)
    return failure
  }

  for (const [name, [answer, words]] of Object.entries(misconfigured))
    it(`${name} makes upstream_failed, and is logged as an error`, async () => {
      await failing(answer, 'upstream_failed', words, 'here')
    })

  for (const [name, [answer, code, words, details]] of Object.entries(others))
    it(`${name} makes ${code}`, async () => {
      const failure = await failing(answer, code, words, 'there')
      if (details) expect(failure.details).to.deep.equal(details)
    })

  it('an error has its status and code in the log, and its text where debugging is asked for', async () => {
    const more = { code: 'cuda', type: 'internal' }
    const model = await server.model([refusal(500, error('CUDA error', more))])
    await model.failure(undefined, {}, { requestId: 'r-1' })
    const [line, text] = model.log.lines.slice(-2)
    expect(line).to.deep.include({
      level: 'warn',
      fields: { model: 'big-model', requestId: 'r-1', status: 500, code: 'cuda' },
    })
    expect(text).to.deep.include({ level: 'debug' })
    expect(text?.fields).to.deep.include({ requestId: 'r-1', type: 'internal', said: `CUDA error ${said}` })
  })

  const configured = {
    apiKey: 'sk-"5ecret"-key',
    headers: { 'x-api-key': 'Token 5ecret-header', 'x-org': 'o9' },
  }
  for (const [name, quote] of Object.entries({
    'its text': { message: 'bad key Bearer sk-"5ecret"-key, 5ecret-header (of o9)' },
    'its escaped text': { message: 'key=sk-%225ecret%22-key {"key":"sk-\\"5ecret\\"-key"}' },
    'its text, which is cut there': { message: `${' '.repeat(1990)}5ecret-header` },
    'its code, type and parameter': { code: '5ecret-header', type: '5ecret-header', param: '5ecret-header' },
  }))
    it(`an error that quotes secrets of the configuration in ${name} has them in no log`, async () => {
      const model = await loadModel({ url: `${server.will(refusal(401, quote)).url}?key=5ecret-query`, ...configured })
      const failure = await model.failure()
      expect(model.log.text())
        .to.contain('[secret]')
        .and.not.match(/5ecret|\bo9\b/)
      expect(JSON.stringify(failure.cause)).not.to.contain('5ecret')
    })

  it('an error that quotes the request has no text in the log', async () => {
    const secret = 'My card is 4111 1111 1111 1111.'
    const answer: Answer = (response, { body }) =>
      json({ error: { message: `bad: ${JSON.stringify(body.messages).slice(20, 60)}`, param: secret } }, 400)(
        response,
        {
          path: '',
          headers: {},
          body,
          socket: response.socket!,
        },
      )
    const model = await server.model(answer)
    const failure = await model.failure(undefined, { messages: [{ role: 'user', content: secret }] })
    expect(model.log.text()).to.contain('may quote the request').and.not.contain('4111')
    expect(JSON.stringify(failure.cause)).not.to.contain('4111')
  })

  it('a redirect gets no second request, and so no credentials elsewhere', async () => {
    const other = await StandIn.listen()
    other.will(hello)
    server.will((response) => response.writeHead(308, { location: `${other.url}/chat/completions` }).end())
    const model = await loadModel({ url: server.url, apiKey: 'sk-1', headers: { 'x-api-key': 'k' } })
    await model.failure('upstream_failed')
    expect(other.asked).to.have.length(0)
    await other.close()
  })
})

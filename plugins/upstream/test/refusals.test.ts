import { expect } from 'chai'
import type { ErrorCode } from '@sallyport/core'
import { hello, json, refusal } from './support/answers.js'
import { collectPieces, failureOf, loadModel } from './support/models.js'
import { serveEachTest, StandIn } from './support/stand-in.js'
import type { Answer } from './support/stand-in.js'

const server = new StandIn()

/** A text of the server, with something in it that no client may see. */
const said = 'at 0x7ffe (internal.example:8080)'
const error = (message: string, more: object = {}) => ({ message: `${message} ${said}`, ...more })

interface Case {
  answer: Answer
  code: ErrorCode
  /** Words of our message. */
  words: RegExp
  details?: object
  /** The log says that the operator has to do something. */
  misconfigured?: true
}

const cases: Record<string, Case> = {
  'no valid key': {
    answer: refusal(401, error('Incorrect API key provided: sk-1.', { code: 'invalid_api_key' })),
    code: 'upstream_failed',
    words: /credentials/,
    misconfigured: true,
  },
  'no permission': {
    answer: refusal(403, error('x')),
    code: 'upstream_failed',
    words: /credentials/,
    misconfigured: true,
  },
  'no such model': {
    answer: refusal(404, error('The model `x` does not exist', { code: 'model_not_found' })),
    code: 'upstream_failed',
    words: /options\.model and options\.url/,
    misconfigured: true,
  },
  'embeddings that are turned off': {
    answer: refusal(501, error('Start it with `--embeddings`', { type: 'not_supported_error' })),
    code: 'upstream_failed',
    words: /does not serve/,
    misconfigured: true,
  },
  'a redirect': {
    answer: (response) => response.writeHead(307, { location: 'http://127.0.0.1:1/v1' }).end(),
    code: 'upstream_failed',
    words: /redirects/,
    misconfigured: true,
  },
  'no quota': {
    answer: refusal(429, error('You exceeded your current quota', { code: 'insufficient_quota' })),
    code: 'upstream_failed',
    words: /quota/,
    misconfigured: true,
  },
  'too many requests': { answer: refusal(429, error('slow down')), code: 'overloaded', words: /try again/ },
  'a server that loads': {
    answer: refusal(503, error('Loading model')),
    code: 'model_unavailable',
    words: /cannot serve/,
  },
  'a time-out of its own': { answer: refusal(408, error('x')), code: 'upstream_failed', words: /status 408/ },
  'a failure': { answer: refusal(500, error('CUDA error')), code: 'upstream_failed', words: /status 500/ },
  'a gateway’s page': {
    answer: (response) => response.writeHead(502, { 'content-type': 'text/html' }).end(`<h1>${said}</h1>`),
    code: 'upstream_failed',
    words: /status 502/,
  },
  'a prompt too long (OpenAI)': {
    answer: refusal(
      400,
      error(
        "This model's maximum context length is 4097 tokens. However, your messages resulted in 5000 tokens. Please reduce the length of the messages.",
        { type: 'invalid_request_error', param: 'messages', code: 'context_length_exceeded' },
      ),
    ),
    code: 'context_exceeded',
    words: /5000 tokens.*4097/,
    details: { tokens: 5000, limit: 4097 },
  },
  'a prompt too long (llama-server)': {
    answer: refusal(400, {
      code: 400,
      message: 'request (900 tokens) exceeds the available context size (512 tokens), try increasing it',
      type: 'exceed_context_size_error',
      n_prompt_tokens: 900,
      n_ctx: 512,
    }),
    code: 'context_exceeded',
    words: /900 tokens.*512/,
    details: { tokens: 900, limit: 512 },
  },
  'an input too long (llama-server)': {
    answer: refusal(500, {
      code: 500,
      message: 'input (600 tokens) is too large to process. increase the physical batch size (current batch size: 512)',
      type: 'server_error',
    }),
    code: 'context_exceeded',
    words: /600 tokens.*512/,
  },
  'a prompt and answer too long together (vLLM)': {
    answer: json(
      {
        object: 'error',
        message:
          "This model's maximum context length is 2048 tokens. However, you requested 3000 tokens (1000 in the messages, 2000 in the completion).",
        type: 'BadRequestError',
        code: 400,
      },
      400,
    ),
    code: 'invalid_request',
    words: /^max_tokens: .*1000 tokens.*2048/,
  },
  'a prompt too long without numbers': {
    answer: refusal(413, error('Prompt is too long')),
    code: 'invalid_request',
    words: /shorten it/,
  },
  'an unsupported field (llama-server)': {
    answer: refusal(400, error('Unsupported param: suffix', { type: 'invalid_request_error' })),
    code: 'unsupported',
    words: /^suffix: /,
  },
  'an unsupported field (OpenAI)': {
    answer: refusal(400, error('Unsupported value', { param: 'temperature', code: 'unsupported_value' })),
    code: 'unsupported',
    words: /^temperature: /,
  },
  'a wrong value (FastAPI)': {
    answer: json({ detail: [{ type: 'less_than_equal', loc: ['body', 'top_p'], msg: said, input: 3 }] }, 422),
    code: 'invalid_request',
    words: /^top_p: /,
  },
  'a picture for a blind model': {
    answer: refusal(400, error('image input is not supported - hint: you may need to provide the mmproj')),
    code: 'unsupported',
    words: /takes no pictures/,
  },
  'a picture for a blind model (llama-server)': {
    answer: refusal(500, { code: 500, message: 'image input is not supported - hint: mmproj', type: 'server_error' }),
    code: 'unsupported',
    words: /takes no pictures/,
  },
  'content that it refuses': {
    answer: refusal(400, error('Filtered.', { code: 'content_filter' })),
    code: 'invalid_request',
    words: /refuses this content/,
  },
  'an error as a text': { answer: json({ error: said }, 400), code: 'invalid_request', words: /refuses this request/ },
  'an error in a list (Google)': {
    answer: json([{ error: { code: 400, message: said, status: 'INVALID_ARGUMENT' } }], 400),
    code: 'invalid_request',
    words: /refuses this request/,
  },
  'an error that is no JSON': {
    answer: (response) => response.writeHead(400).end(said),
    code: 'invalid_request',
    words: /refuses this request/,
  },
  'a compressed error': {
    answer: (response) => response.writeHead(400, { 'content-encoding': 'gzip' }).end(said),
    code: 'invalid_request',
    words: /refuses this request/,
  },
}

describe('an upstream server that answers with', () => {
  serveEachTest(server)

  for (const [name, { answer, code, words, details, misconfigured }] of Object.entries(cases))
    it(`${name} makes ${code}`, async () => {
      const model = await loadModel({ url: server.will(answer).url, retries: { count: 0 } })
      const failure = await failureOf(collectPieces(model.chat()), code)
      expect(failure.message).to.match(words)
      expect(failure.message).not.to.contain('0x7ffe')
      if (details) expect(failure.details).to.deep.equal(details)
      expect(server.asked).to.have.length(1)
      expect(model.log.lines.filter(({ level }) => level === 'error')).to.have.length(misconfigured ? 1 : 0)
    })

  it('an error has its status and code in the log, and its text where debugging is asked for', async () => {
    const more = { code: 'cuda', type: 'internal' }
    const model = await loadModel({ url: server.will(refusal(500, error('CUDA error', more))).url })
    await failureOf(collectPieces(model.chat({}, { requestId: 'r-1' })))
    const [line, text] = model.log.lines.slice(-2)
    expect(line).to.deep.include({ level: 'warn', fields: { requestId: 'r-1', status: 500, code: 'cuda' } })
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
      const failure = await failureOf(collectPieces(model.chat()))
      expect(model.log.text)
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
    const model = await loadModel({ url: server.will(answer).url })
    const failure = await failureOf(collectPieces(model.chat({ messages: [{ role: 'user', content: secret }] })))
    expect(model.log.text).to.contain('may quote the request').and.not.contain('4111')
    expect(JSON.stringify(failure.cause)).not.to.contain('4111')
  })

  it('a redirect gets no second request, and so no credentials elsewhere', async () => {
    const other = await StandIn.listen()
    other.will(hello)
    server.will((response) => response.writeHead(308, { location: `${other.url}/chat/completions` }).end())
    const model = await loadModel({ url: server.url, apiKey: 'sk-1', headers: { 'x-api-key': 'k' } })
    await failureOf(collectPieces(model.chat()), 'upstream_failed')
    expect(other.asked).to.have.length(0)
    await other.close()
  })
})

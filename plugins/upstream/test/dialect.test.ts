import { expect } from 'chai'
import type { ChatRequest } from '@sallyport/core'
import { hello, json, refusal } from './support/answers.js'
import { serveEachTest, StandIn } from './support/stand-in.js'
import type { Answer } from './support/stand-in.js'

const server = new StandIn()

type Complaint = (field: string) => Answer

const complaints: Record<string, Complaint> = {
  OpenAI: (field) =>
    refusal(400, { message: `Unknown parameter: '${field}'.`, param: field, code: 'unknown_parameter' }),
  'OpenAI, as it was': (field) => refusal(400, { message: `Unrecognized request argument supplied: ${field}` }),
  FastAPI: (field) =>
    json({ detail: [{ type: 'extra_forbidden', loc: ['body', field], msg: 'Extra inputs are not permitted' }] }, 422),
  'a JSON Schema': (field) =>
    refusal(400, { message: `Additional properties are not allowed ('${field}' was unexpected)` }),
}

/** Answers only requests without the fields. */
const without =
  (complaint: Complaint, ...fields: string[]): Answer =>
  (response, asked) => {
    const field = fields.find((name) => asked.body[name] !== undefined)
    return (field === undefined ? hello : complaint(field))(response, asked)
  }

const request: Partial<ChatRequest> = { topK: 40, minP: 0.1, maxTokens: 7, seed: 3, reasoningEffort: 'low' }

describe('a server that does not know a field', () => {
  serveEachTest(server)

  for (const [name, complaint] of Object.entries(complaints))
    it(`and says so as ${name} does, is asked without it from then on`, async () => {
      const answer = without(complaint, 'stream_options', 'top_k', 'min_p', 'reasoning_effort')
      const model = await server.model(answer, { retries: { count: 0 } })
      expect((await model.answer(request)).text).to.equal('Hello')
      expect(server.asked).to.have.length(5)
      expect((await model.answer(request)).text).to.equal('Hello')
      expect(server.asked).to.have.length(6)
      expect(server.body).to.have.keys('model', 'messages', 'stream', 'max_tokens', 'seed')
    })

  it('but another name for it, is asked with that', async () => {
    const complaint = complaints.OpenAI!
    const model = await server.model(without(complaint, 'max_tokens', 'seed'))
    await model.answer(request)
    expect(server.body)
      .to.include({ max_completion_tokens: 7, random_seed: 3 })
      .and.not.have.any.keys('max_tokens', 'seed')
  })

  it('of messages, is asked without it', async () => {
    const answer: Answer = (response, asked) =>
      (JSON.stringify(asked.body).includes('reasoning_content')
        ? refusal(400, { message: 'Unsupported field', param: 'messages[1].reasoning_content' })
        : hello)(response, asked)
    const model = await server.model(answer)
    const messages: ChatRequest['messages'] = [
      { role: 'user', content: 'a' },
      { role: 'assistant', content: 'b', reasoning: 'c' },
    ]
    await model.answer({ messages })
    expect(server.body.messages).to.deep.equal([
      { role: 'user', content: 'a' },
      { role: 'assistant', content: 'b' },
    ])
  })

  it('that the client asked for in earnest, is not asked without it', async () => {
    const model = await server.model(without(complaints.OpenAI!, 'temperature'))
    const { message } = await model.failure('unsupported', { temperature: 1 })
    expect(message).to.match(/^temperature: /)
    expect(server.asked).to.have.length(1)
  })

  it('is not believed when it has failed all the same', async () => {
    const model = await server.model(complaints.OpenAI!('top_k'))
    await model.failure('unsupported', request)
    expect(server.asked).to.have.length(2)
    server.will(hello)
    await model.answer(request)
    expect(server.body).to.include({ top_k: 40 })
  })

  it('is not believed about a value that is wrong', async () => {
    const answer = refusal(400, { message: 'top_k must be positive', param: 'top_k', code: 'invalid_value' })
    const model = await server.model(answer)
    await model.failure('invalid_request', request)
    expect(server.asked).to.have.length(1)
  })
})

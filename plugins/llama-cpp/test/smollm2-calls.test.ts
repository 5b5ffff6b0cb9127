import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect } from 'chai'
import { chat } from '@sallyport/core'
import type { ChatMessage, ChatRequest, Kernel } from '@sallyport/core'
import { createKernel } from '@sallyport/kernel'
import { runConformance } from '@sallyport/testing'

const id = 'smollm2-135m-instruct'

const person = {
  type: 'object',
  properties: {
    name: { type: 'string', minLength: 1, maxLength: 20 },
    age: { type: 'integer', minimum: 0, maximum: 120 },
    colours: { type: 'array', items: { enum: ['red', 'green', 'blue'] }, minItems: 1, maxItems: 3 },
    address: { anyOf: [{ type: 'null' }, { type: 'object', properties: { city: { type: 'string', maxLength: 20 } }, required: ['city'], additionalProperties: false }] }, // prettier-ignore
  },
  required: ['name', 'age', 'colours', 'address'],
  additionalProperties: false,
}
const fits = new Ajv2020().compile(person)

const user = (content: string): ChatMessage => ({ role: 'user', content })

describe('SmolLM2-135M', () => {
  let kernel: Kernel

  before(async function () {
    // its weights may have to be fetched
    this.timeout(300_000)
    kernel = await createKernel({
      plugins: [new URL('../src/index.js', import.meta.url)],
      models: { [id]: { backend: 'llama-cpp', options: { contextLength: 2048, parallel: 2 } } },
    })
  })
  after(async () => (kernel as Kernel | undefined)?.stop())

  const answer = async (request: ChatRequest) => (await kernel.get(chat, id).generate(request)).choices[0]!
  const seeds = [1, 2, 3]

  for (const seed of seeds) {
    it(`answers by a schema, with the seed ${seed}`, async function () {
      this.timeout(60_000)
      const { text, finish } = await answer({
        messages: [user('Describe a person as JSON.')],
        responseFormat: { type: 'json_schema', schema: person, strict: true },
        seed,
        temperature: 1,
        maxTokens: 200,
      })
      expect(finish).to.equal('stop')
      expect(fits(JSON.parse(text)), text).to.equal(true)
    })

    it(`calls by a schema where it must, with the seed ${seed}`, async function () {
      this.timeout(60_000)
      const { toolCalls, finish } = await answer({
        messages: [user('Add Ann, who is 30 years old and likes red.')],
        tools: [{ name: 'add_person', parameters: person, strict: true }],
        toolChoice: 'required',
        parallelToolCalls: false,
        seed,
        temperature: 1,
        maxTokens: 200,
      })
      expect(finish).to.equal('tool_calls')
      expect(toolCalls?.map(({ name }) => name)).to.deep.equal(['add_person'])
      expect(fits(JSON.parse(toolCalls![0]!.arguments))).to.equal(true)
    })
  }

  it('answers with an object', async function () {
    this.timeout(60_000)
    const { text, finish } = await answer({
      messages: [user('Give me a small JSON object with the key "colour".')],
      responseFormat: { type: 'json_object' },
      temperature: 0,
      maxTokens: 400,
    })
    expect(text).to.match(/^\{/)
    if (finish === 'stop') expect(JSON.parse(text)).to.be.an('object')
  })

  runConformance(chat, {
    create: () => Promise.resolve({ stream: (request, call) => kernel.get(chat, id).stream(request, call) }),
    facts: { contextLength: 2048, features: { tools: true }, abortWithin: 10_000 },
  })
})

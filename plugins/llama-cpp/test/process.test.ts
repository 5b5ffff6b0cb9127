import { expect } from 'chai'
import { chat, completion, embedding, tokens } from '@sallyport/core'
import type { Kernel } from '@sallyport/core'
import { errorOf } from '@sallyport/stand-ins/errors'
import { processOf } from '@sallyport/stand-ins/processes'
import { until } from '@sallyport/stand-ins/promises'
import { useTemporaryDirectory } from '@sallyport/stand-ins/temporary'
import { ggufStart } from './support/gguf-writer.js'
import { kernelOf } from './support/kernel.js'
import { parrot, plainTemplate } from './support/parrot.js'

const chunks = ['Once ', 'upon ', 'a time ', 'there was']
const sayings = [{ chunks }, { after: '.', chunks: ['tick ', 'tock '], endless: true }]
const messages = [{ role: 'user' as const, content: 'Tell me a story' }]
const endless = [{ role: 'user' as const, content: 'Go on.' }]

describe('a model in its own process', () => {
  const { write: file } = useTemporaryDirectory()
  let kernel: Kernel

  before(async function () {
    this.timeout(30_000)
    const model = file('parrot.gguf', parrot(sayings, { contextLength: 100_000 }))
    kernel = await kernelOf(
      { parrot: model, raw: file('raw.gguf', parrot(sayings, { template: null })) },
      { parallel: 2, queue: 4, threads: 1, contextLength: 8192 },
    )
  })
  after(() => kernel.stop())

  it('offers what its file can do', () => {
    const models = Object.fromEntries(kernel.models().map((model) => [model.id, model]))
    expect(models['parrot']?.capabilities).to.have.members(['chat', 'completion', 'tokens'])
    expect(models['raw']?.capabilities).to.have.members(['completion', 'tokens'])
    expect(models['parrot']).to.include({ contextLength: 8192, description: 'Parrot', promptFormat: 'jinja' })
    expect(models['raw']).to.include({ contextLength: 512, promptFormat: 'raw' })
  })

  it('chats', async () => {
    const { choices, usage } = await kernel.get(chat, 'parrot').generate({ messages, temperature: 0 })
    expect(choices).to.deep.equal([{ text: chunks.join(''), finish: 'stop' }])
    expect(usage).to.include({ promptTokens: 16, completionTokens: 5 })
  })

  it('answers a tenant beside another one whose answers do not end', async () => {
    const gone = new AbortController()
    const ask = (index: number) =>
      kernel
        .get(chat, 'parrot')
        .generate({ messages: endless, temperature: 0 }, { tenant: 'greedy', signal: gone.signal })
        .catch(() => index)
    const greedy = Array.from({ length: 6 }, (_, index) => ask(index))
    const { choices } = await kernel.get(chat, 'parrot').generate({ messages, temperature: 0 }, { tenant: 'modest' })
    expect(choices).to.deep.equal([{ text: chunks.join(''), finish: 'stop' }])
    gone.abort(new Error('enough'))
    expect(await Promise.all(greedy)).to.deep.equal([0, 1, 2, 3, 4, 5])
  })

  it('streams token by token', async () => {
    const deltas: string[] = []
    for await (const chunk of kernel.get(chat, 'parrot').stream({ messages, temperature: 0 })) {
      if ('delta' in chunk) deltas.push(chunk.delta)
    }
    expect(deltas.join('')).to.equal(chunks.join(''))
  })

  it('completes', async () => {
    const { choices } = await kernel.get(completion, 'raw').generate({ prompt: 'Tell', temperature: 0, stop: ['a t'] })
    expect(choices[0]).to.deep.equal({ text: 'Once upon ', finish: 'stop', stopSequence: 'a t' })
  })

  it('gives several choices, each with log-probabilities', async () => {
    const request = { messages, n: 3, seed: 1, temperature: 2, topK: 0, topP: 1, minP: 0, topLogprobs: 1, maxTokens: 6 }
    const { choices } = await kernel.get(chat, 'parrot').generate(request)
    expect(choices).to.have.length(3)
    expect(new Set(choices.map(({ text }) => text)).size).to.be.greaterThan(1)
    for (const { logprobs } of choices) expect(logprobs?.length).to.be.greaterThan(0)
  })

  it('takes texts to tokens and back', async () => {
    const text = 'naïve 👍 <|end|>'
    const service = kernel.get(tokens, 'parrot')
    const { tokens: list } = await service.tokenize({ text })
    expect(await service.detokenize({ tokens: list.map(({ id }) => id) })).to.deep.equal({ text })
  })

  const refused: [what: string, request: object][] = [
    [
      'pictures',
      { messages: [{ role: 'user', content: [{ type: 'image', image: new Uint8Array(4), mediaType: 'image/png' }] }] },
    ],
  ]
  for (const [what, request] of refused) {
    it(`refuses ${what}`, async () => {
      const error = await errorOf(kernel.get(chat, 'parrot').generate(request as { messages: typeof messages }))
      expect(error.code).to.equal('unsupported')
    })
  }

  it('refuses to fill a gap without the tokens for it', async () => {
    const error = await errorOf(kernel.get(completion, 'raw').generate({ prompt: 'a', suffix: 'b' }))
    expect(error).to.include({ code: 'unsupported' })
  })

  it('is given up while it reads a long prompt, and goes on with the next', async () => {
    const controller = new AbortController()
    const reason = new Error('gone')
    const long = [{ role: 'user' as const, content: `${'x'.repeat(8000)}.` }]
    const running = kernel.get(chat, 'parrot').generate({ messages: long }, { signal: controller.signal })
    const outcome = running.catch((error: unknown) => error)
    // calls arrive in order
    await kernel.get(tokens, 'parrot').tokenize({ text: 'x' })
    controller.abort(reason)
    expect(await outcome).to.equal(reason)
    const { choices } = await kernel.get(chat, 'parrot').generate({ messages, temperature: 0 })
    expect(choices[0]?.text).to.equal(chunks.join(''))
  })

  it('fails what it was doing when it is killed, and answers again soon', async function () {
    this.timeout(30_000)
    const service = kernel.get(chat, 'parrot')
    const streams = [1, 2].map(async () => {
      let text = ''
      for await (const chunk of service.stream({ messages: endless, temperature: 0 }))
        if ('delta' in chunk) text += chunk.delta
      return text
    })
    const failures = streams.map((stream) => errorOf(stream))
    const other = kernel.get(completion, 'raw')
    await other.generate({ prompt: 'Tell', temperature: 0 })
    process.kill(processOf('parrot'), 'SIGKILL')
    const errors = await Promise.all(failures)
    for (const error of errors) expect(error.code).to.equal('model_unavailable')
    expect((await other.generate({ prompt: 'Tell', temperature: 0 })).choices[0]?.text).to.equal(chunks.join(''))
    await until(() => kernel.modelState('parrot') === 'ready', 20_000)
    expect((await service.generate({ messages, temperature: 0 })).choices[0]?.text).to.equal(chunks.join(''))
  })
})

describe('a model file', () => {
  const { write: file } = useTemporaryDirectory()
  const whole = parrot([{ chunks }])

  const bad: [what: string, content: Buffer, problem: RegExp][] = [
    ['that is truncated', whole.subarray(0, -2000), /truncated|beyond the end/],
    ['of random bytes', Buffer.from(Array.from({ length: 4096 }, (_, index) => (index * 7919) % 251)), /GGUF/],
    ['with 2^55 keys', ggufStart(0, 2n ** 55n), /metadata keys/],
    [
      'of an architecture that nobody knows',
      parrot([{ chunks }], { metadata: { 'general.architecture': { text: 'perpetual' } } }),
      /llama\.cpp cannot load/,
    ],
    ['with a template that cannot be read', parrot([{ chunks }], { template: '{% if %}' }), /chat template/],
    [
      'with a template that never ends',
      parrot([{ chunks }], {
        template: '{% for i in range(100000) %}{% for j in range(100000) %}{% endfor %}{% endfor %}',
      }),
      /chat template of broken\.gguf takes too long.*chatTemplate/,
    ],
    [
      'with a template that takes no conversation',
      parrot([{ chunks }], { template: "{{ raise_exception('no') }}" }),
      /chat template of broken\.gguf fails.*chatTemplate/,
    ],
    [
      'with a template that writes nothing',
      parrot([{ chunks }], { template: '{% if false %}{% endif %}' }),
      /chat template of broken\.gguf makes nothing.*chatTemplate/,
    ],
  ]
  for (const [what, content, problem] of bad) {
    it(`${what} is refused with a clear error`, async function () {
      this.timeout(20_000)
      const error = await errorOf(kernelOf({ broken: file('broken.gguf', content) }, { threads: 1 }))
      expect(error.code).to.equal('model_invalid')
      expect(error.message).to.match(problem).and.not.contain('/')
    })
  }

  it('with a template that takes no conversation runs with another one', async function () {
    this.timeout(20_000)
    const path = file('mended.gguf', parrot([{ chunks }], { template: "{{ raise_exception('no') }}" }))
    const mended = await kernelOf({ mended: path }, { threads: 1, chatTemplate: plainTemplate })
    const { choices } = await mended.get(chat, 'mended').generate({ messages, temperature: 0 })
    expect(choices[0]?.text).to.equal(chunks.join(''))
    await mended.stop()
  })

  it('that needs more memory than there is is refused before it is loaded', async () => {
    const path = file('large.gguf', parrot([{ chunks }], { contextLength: 2 ** 30 }))
    const error = await errorOf(kernelOf({ large: path }, { contextLength: 2 ** 30, parallel: 64 }))
    expect(error.code).to.equal('insufficient_memory')
  })

  it('for embeddings gives unit vectors, and refuses an image and an empty text by their places', async function () {
    this.timeout(20_000)
    const kernel = await kernelOf(
      { vectors: file('vectors.gguf', parrot([{ chunks }], { forEmbeddings: true })) },
      { threads: 1, dimensions: [64] },
    )
    const service = kernel.get(embedding, 'vectors')
    const { vectors, promptTokens } = await service.embed({
      inputs: [{ text: 'aab' }, { tokens: [97, 97, 98] }, { text: 'zzz' }],
    })
    const [a = 0, b = 0] = [...vectors[0]!].sort((x, y) => y - x)
    expect(a / b).to.be.closeTo(2, 1e-3)
    expect(vectors[1]).to.deep.equal(vectors[0])
    expect(Math.hypot(...vectors[2]!)).to.be.closeTo(1, 1e-6)
    expect(promptTokens).to.equal(9)
    expect((await service.embed({ inputs: [{ text: 'a' }], dimensions: 64 })).vectors[0]).to.have.length(64)
    const image = { image: new Uint8Array(), mediaType: 'image/png' }
    const refused = [
      [image, 'unsupported'],
      [{ text: '' }, 'invalid_request'],
    ] as const
    for (const [input, code] of refused) {
      const error = await errorOf(service.embed({ inputs: [{ text: 'a' }, input] }))
      expect(error).to.include({ code }).with.nested.property('details.field', 'inputs[1]')
    }
    await kernel.stop()
  })
})

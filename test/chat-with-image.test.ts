import { notAnImage } from '@sallyport/kit/image-format'
import { expect } from 'chai'
import { images } from './support/images.js'
import { useServer } from './support/server.js'

const model = 'assistant'

/** The chat model repeats what it is told, so that it is seen; the classifier is the real one. */
const config = {
  plugins: ['@sallyport/koa', '@sallyport/testing/reference', '@sallyport/onnx', '@sallyport/vision-bridge'],
  models: {
    'efficientnet-lite0': { backend: 'efficientnet' },
    [model]: { backend: 'vision-bridge', options: { chat: 'reference-chat', threshold: 0.01 } },
  },
}

interface Listed {
  readonly id: string
  readonly max_context_length?: number
  readonly capabilities: Readonly<Record<string, boolean>>
}

interface Answered {
  readonly choices: readonly { readonly message: { readonly content: string } }[]
}

describe('a server whose chat model is told what images show', function () {
  this.timeout(120_000)
  const server = useServer(config)

  const ask = (base64: string, prefix = '/v1') => {
    const image = { type: 'image_url', image_url: { url: `data:image/png;base64,${base64}` } }
    const messages = [{ role: 'user', content: [{ type: 'text', text: 'What is this?' }, image] }]
    return server.post(`${prefix}/chat/completions`, { model, messages, max_tokens: 64, temperature: 0 })
  }

  it('lists it with what the chat model can do, and images', async () => {
    const { data } = (await (await server.get('/v1/models')).json()) as { data: Listed[] }
    const [seeing, blind] = [model, 'reference-chat'].map((id) => data.find((each) => each.id === id)!)
    expect(seeing!.capabilities).to.deep.equal({
      ...blind!.capabilities,
      chat_with_image: true,
      responses_with_image: true,
    })
    expect(seeing!.max_context_length).to.equal(blind!.max_context_length).and.be.greaterThan(0)
    const capable = (await (await server.get('/models/chat_with_image')).json()) as { data: Listed[] }
    expect(capable.data.map(({ id }) => id))
      .to.include(model)
      .and.not.include('reference-chat')
  })

  for (const prefix of ['', '/v1'])
    it(`answers about an image, under ${prefix || '/'}`, async () => {
      const response = await ask(images.red, prefix)
      const text = await response.text()
      expect(response.status, text).to.equal(200)
      expect((JSON.parse(text) as Answered).choices[0]!.message.content).to.match(/Picture 1 (shows|was)/)
    })

  for (const [what, image, message] of [
    ['a broken one', images.cut, 'messages[0].content[1].image_url.url: is a broken image'],
    [
      'one of 900 million pixels',
      images.huge,
      'messages[0].content[1].image_url.url: has 30000 × 30000 pixels, which is more than 50 million: make it smaller',
    ],
    ['an SVG', images.svg, `messages[0].content[1].image_url.url: ${notAnImage}`],
  ] as const)
    it(`names the image that it cannot read: ${what}`, async () => {
      const response = await ask(image)
      const body = await response.json()
      expect(response.status).to.equal(400)
      expect(body).to.have.nested.property('error.message', message)
      const plain = await ask(image, '')
      expect(plain.status).to.equal(400)
      expect(await plain.json()).to.have.property('error', message)
    })
})

/** Servers of images, and models and requests that look at them. */

import { createServer } from 'node:http'
import type { RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { ChatRequest } from '@sallyport/core'
import type { TestModel } from './kernel.js'
import { recorder, speaker } from './models.js'

export const png = Buffer.from('\x89PNG\r\n\x1a\nrest', 'latin1')
export const gif = Buffer.from('GIF89arest', 'latin1')

export interface Site {
  readonly url: string
  readonly paths: string[]
  /** Requests that are being answered, at most so far. */
  readonly most: () => number
  readonly headers: () => string[]
}

/** A server of images on this machine. */
export const withSite = async (use: (site: Site) => Promise<void>, answers: Record<string, RequestListener> = {}) => {
  const paths: string[] = []
  const headers = new Set<string>()
  let running = 0
  let most = 0
  const server = createServer((request, response) => {
    paths.push(request.url!)
    for (const name of Object.keys(request.headers)) headers.add(name)
    most = Math.max(most, ++running)
    response.on('close', () => (running -= 1))
    const answer = answers[request.url!]
    if (answer) answer(request, response)
    else setTimeout(() => response.end(request.url!.endsWith('.gif') ? gif : png), 20)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  try {
    await use({ url, paths, most: () => most, headers: () => [...headers] })
  } finally {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
}

/** Reads images, and keeps what it read. */
export const seeing = () => {
  const seen = recorder({ image: true })
  const embedded: { image?: Uint8Array }[] = []
  const viewer: TestModel = {
    id: 'viewer',
    features: { image: true },
    services: {
      embedding: {
        embed: ({ inputs }: { inputs: { image?: Uint8Array }[] }) => {
          embedded.push(...inputs)
          return Promise.resolve({ vectors: inputs.map(() => Float32Array.of(1)), promptTokens: 0 })
        },
      },
    },
  }
  return { seen, embedded, models: [seen.model, viewer, speaker] }
}

export const asking = (...images: (string | object)[]) => ({
  model: 'recorder',
  messages: [
    {
      role: 'user',
      content: [
        { type: 'text', text: 'what is it?' },
        ...images.map((image) => ({ type: 'image_url', image_url: image })),
      ],
    },
  ],
})

export const imagesOf = ({ messages }: ChatRequest) =>
  (messages[0]!.content as { image?: Uint8Array; mediaType?: string }[]).slice(1).map(({ image, mediaType }) => ({
    mediaType,
    bytes: Buffer.from(image!).toString('latin1'),
  }))

/** The small request that the adapter is measured with. */

export const model = 'reference-chat'

export const key = 'sk-benchmark-0123456789abcdef0123456789abcdef'

const messages = [{ role: 'user' as const, content: 'Hello world' }]

export const chatRequest = { messages, maxTokens: 16 }

export const httpRequest = {
  path: '/chat/completions',
  headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
  body: JSON.stringify({ model, messages, max_tokens: 16 }),
}

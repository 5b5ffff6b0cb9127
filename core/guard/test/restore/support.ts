import type { ChatCapability, ChatChunk, ChatRequest, ReplaceRequest, SpanDetector } from '@sallyport/core'
import { enforce, exchange, finder } from '../support.js'
import type { Exchange, GuardContext, PiiPolicy } from '../support.js'

/** The names that the detector finds, and the fakes that it makes for them, the first first. */
export const fakes: Readonly<Record<string, readonly string[]>> = {
  'Jane Miller': ['Ann Smith', 'Eve Stone'],
  'JANE MILLER': ['ANN SMITH', 'EVE STONE'],
  'Bob Jones': ['Ann Smith', 'Tom Brown'],
  'O"Neil': ['Carl'],
  'jane@acme.com': ['ann@example.org'],
  'https://acme.com/jane': ['https://example.org/a'],
  '4012888888881881': ['4111111111111111'],
  '4012 8888': ['4222222'],
  '34': ['52', '53'],
}

const typeOf = (name: string): string => {
  if (name.includes('://')) return 'URL'
  if (/^[\d ]+$/.test(name)) return 'NUMBER'
  return name.includes('@') ? 'EMAIL_ADDRESS' : 'PERSON'
}

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** Finds the names, and the fakes, as a detector of personal information does. */
export const names: SpanDetector = {
  async inspect(request, call) {
    const all = Object.entries(fakes)
      .flat(2)
      .sort((one, other) => other.length - one.length)
    const found = await finder(`(?<!\\w)(?:${all.map(escaped).join('|')})(?!\\w)`, 'x').inspect(request, call)
    const findings = found.findings.map((finding) => ({
      ...finding,
      type: typeOf(request.text.slice(finding.start, finding.end)),
    }))
    return { ...found, findings }
  },
  replace: ({ text, method, findings, avoid = [] }: ReplaceRequest) => {
    const known = fakes[text] ?? [`${text}-fake`]
    const fake = known.find((one) => !avoid.includes(one)) ?? known[0]!
    return Promise.resolve({ text: method === 'fake' ? fake : `<${findings[0]?.type}>`, spans: [] })
  },
}

export const restoring = (policy: Partial<PiiPolicy> = {}): PiiPolicy => ({
  ...{ ...enforce, budget: 5000 },
  ...{ action: 'replace', method: 'category', restore: true },
  ...policy,
})

/** A model that answers with what it makes of the last message, in parts of these lengths. */
export const writer = (write: (asked: string) => string, sizes: readonly number[] = [1000]): ChatCapability => ({
  async *stream({ messages }) {
    let text = write(messages.at(-1)!.content as string)
    for (let at = 0; text; at += 1) {
      const size = sizes[at % sizes.length]!
      yield { delta: text.slice(0, size) }
      text = text.slice(size)
    }
    yield await Promise.resolve({ finish: 'stop' as const })
  },
})

export const saying = (chunks: readonly ChatChunk[]): ChatCapability => ({
  async *stream() {
    yield* chunks
    yield await Promise.resolve({ finish: 'stop' as const })
  },
})

export const userSays = (text: string): ChatRequest => ({ messages: [{ role: 'user', content: text }] })

export const restored = (
  request: ChatRequest | string,
  backend: ChatCapability,
  policy: Partial<PiiPolicy> = {},
  context: GuardContext = {},
): Promise<Exchange> =>
  exchange(
    typeof request === 'string' ? userSays(request) : request,
    { policy: { input: { pii: restoring(policy) } }, detectors: { pii: names }, ...context },
    backend,
  )

/** Detectors and models for tests of the chain, and the chain with the specification's checks. */

import * as checks from '@sallyport/checks'
import { chat } from '@sallyport/core'
import type {
  Capability,
  ChatCapability,
  ChatChunk,
  ChatRequest,
  PolicyEntry as AnyPolicyEntry,
  Inspection,
  Detector,
  SpanDetector,
  Stage,
  Verdict,
} from '@sallyport/core'
import { textOf } from '@sallyport/kit/generation'
import { testCall } from '@sallyport/testing'
import { activeCheck } from '../src/policy/active-check.js'
import type { ActiveCheck, ActiveChecks, SpanCheck } from '../src/policy/active-check.js'
import { guard as chain } from '../src/guard.js'
import type { GuardContext as ChainContext } from '../src/guard.js'

export type PolicyEntry = Omit<AnyPolicyEntry, 'check'>
export type PiiPolicy = PolicyEntry
export type FactualityPolicy = PolicyEntry
export type Policy = { readonly [Name in Stage]: Readonly<Record<string, PolicyEntry>> }
export interface Detectors {
  readonly injection?: Detector | undefined
  readonly pii?: SpanDetector | undefined
  readonly toxicity?: Detector | undefined
  readonly factuality?: Detector | undefined
}

/** What a test says of the chain: it hears nothing, and finds `1234` where its detectors are not given. */
export interface GuardContext extends Partial<Omit<ChainContext, 'checks' | 'onFailure'>> {
  readonly policy?: Partial<Policy>
  readonly detectors?: Detectors
  readonly onFailure?: (check: string, error: unknown) => void
}

/** Nothing is checked. */
export const noChecks: Policy = { input: {}, output: {} }

/** Hears nothing. */
export const deaf = { onVerdict: () => undefined, onFailure: () => undefined }

export const activeChecks = ({ input, output }: Policy, detectors: Detectors): ActiveChecks => {
  const each = (entries: Readonly<Record<string, PolicyEntry>>) =>
    Object.entries(entries)
      .map(([name, policy]) => {
        const check = name as keyof typeof checks
        return activeCheck(name, checks[check], { check, ...policy }, detectors[check])
      })
      .sort((one, other) => one.definition.order - other.definition.order)
  return { input: each(input), output: each(output) }
}

/** One check, and who is asked. */
export const only = (
  check: keyof typeof checks,
  detector: Detector | undefined,
  policy: Partial<PolicyEntry> = {},
): ActiveCheck => activeCheck(check, checks[check], { check, ...enforce, ...policy }, detector)

/** The same of the one that finds spans. */
export const onlySpans = (detector: SpanDetector, policy: Partial<PolicyEntry> = replace): SpanCheck =>
  only('pii', detector, policy) as SpanCheck

export const guard = <Service extends object>(
  capability: Capability<Service>,
  service: Service,
  { policy, detectors, onFailure = () => undefined, ...context }: GuardContext = {},
): Service =>
  chain(capability, service, {
    ...deaf,
    ...context,
    checks: activeChecks({ ...noChecks, ...policy }, { pii: piiFinder('1234'), ...detectors }),
    onFailure: ({ name }, error) => onFailure(name, error),
  })

export const enforce: PolicyEntry = { mode: 'enforce', threshold: 0.5, onFailure: 'block', budget: 100 }
export const replace: PiiPolicy = { ...enforce, action: 'replace', method: 'category', ignore: [] }

/** Finds every occurrence of a word. */
export const finder = (word: string, type: string): Detector => ({
  inspect: ({ text }): Promise<Inspection> => {
    const findings = [...text.matchAll(new RegExp(word, 'g'))].map(({ 0: found, index }) => ({
      type,
      start: index,
      end: index + found.length,
      score: 1,
    }))
    return Promise.resolve({ findings, score: findings.length ? 1 : 0, explanation: '', detector: type, latency: 0 })
  },
})

export const piiFinder = (word: string): SpanDetector => ({
  ...finder(word, 'SECRET'),
  replace: ({ text }) => Promise.resolve({ text: text.replaceAll(word, '<SECRET>'), spans: [] }),
})

export const broken = (fault: () => Promise<Inspection>): Detector => ({ inspect: fault })

/** Says the last message in chunks of the given sizes. */
export const echo = (sizes: readonly number[] = [3]): ChatCapability & { seen: string[] } => {
  const seen: string[] = []
  return {
    seen,
    async *stream({ messages }) {
      let text = messages.at(-1)!.content as string
      seen.push(text)
      for (let i = 0; text; i++) {
        const size = sizes[i % sizes.length]!
        yield { delta: text.slice(0, size), logprobs: [{ token: text.slice(0, size), logprob: -1 }] }
        text = text.slice(size)
      }
      yield await Promise.resolve({ finish: 'stop' as const })
    },
  }
}

/** A model that says these chunks. */
export const reply = (chunks: Iterable<ChatChunk> | AsyncIterable<ChatChunk> = []): ChatCapability => ({
  async *stream(_, { signal }) {
    for await (const chunk of chunks) {
      signal.throwIfAborted()
      yield chunk
    }
    yield { finish: 'stop' }
  },
})

/** What comes of a request to a guarded model. */
export interface Exchange {
  /** The request as the model got it; absent where it did not. */
  asked?: ChatRequest
  readonly chunks: ChatChunk[]
  said: string
  /** The message of what it failed with. */
  error?: string
  readonly verdicts: Verdict[]
}

export const exchange = async (
  request: ChatRequest,
  context: GuardContext,
  backend: ChatCapability = reply(),
): Promise<Exchange> => {
  const heard: Exchange = { chunks: [], said: '', verdicts: [] }
  const noting: ChatCapability = {
    stream: (asked, inner) => {
      heard.asked = asked
      return backend.stream(asked, inner)
    },
  }
  const guarded = guard(chat, noting, { onVerdict: (verdict) => void heard.verdicts.push(verdict), ...context })
  try {
    for await (const chunk of guarded.stream(request, testCall())) {
      heard.chunks.push(chunk)
      if ('delta' in chunk) heard.said += chunk.delta
    }
  } catch (error) {
    heard.error = (error as Error).message
  }
  return heard
}

/** The same of one text, without detectors of personal information unless there are some. */
export const run = (
  text: string,
  policy: Partial<Policy>,
  detectors: Detectors = {},
  backend: ChatCapability = echo(),
): Promise<Exchange> =>
  exchange(
    { messages: [{ role: 'user', content: text }] },
    { policy, detectors: { pii: undefined, ...detectors } },
    backend,
  )

export const inspection = (change: Partial<Inspection>): Promise<Inspection> =>
  Promise.resolve({ findings: [], score: 0, explanation: '', detector: 'test', latency: 0, ...change })

/** Finds a word only where no letter or digit stands beside it. */
export const wholeWordFinder = (word: string): Detector => finder(`\\b${word}\\b`, 'SECRET')

/** What the model is asked, or why it is not. */
export const asked = async (
  request: ChatRequest,
  policy: Partial<Policy>,
  pii: SpanDetector = piiFinder('1234'),
): Promise<string> => {
  const { asked: heard, error } = await exchange(request, { policy, detectors: { pii } })
  return error ?? heard?.messages.map(textOf).join('') ?? ''
}

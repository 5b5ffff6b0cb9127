/** Detectors and models for tests of the chain, and the chain with the specification's checks. */

import * as checks from '@sallyport/checks'
import { chat, isSallyportError } from '@sallyport/core'
import type {
  Capability,
  ChatCapability,
  ChatChunk,
  ChatRequest,
  CheckPolicy as AnyCheckPolicy,
  Inspection,
  Safeguard,
  SpanDetector,
  Stage,
  Verdict,
} from '@sallyport/core'
import { textOf } from '@sallyport/kit/generation'
import { call } from '@sallyport/stand-ins/call'
import { expect } from 'chai'
import { activeCheck } from '../src/policy/active-check.js'
import type { ActiveCheck, ActiveChecks, SpanCheck } from '../src/policy/active-check.js'
import { guard as chain } from '../src/guard.js'
import type { GuardContext as ChainContext } from '../src/guard.js'

export type CheckPolicy = Omit<AnyCheckPolicy, 'check'>
export type PiiPolicy = CheckPolicy
export type FactualityPolicy = CheckPolicy
export type Policy = { readonly name: string } & { readonly [Name in Stage]: Readonly<Record<string, CheckPolicy>> }
export interface Detectors {
  readonly injection?: Safeguard | undefined
  readonly pii?: SpanDetector | undefined
  readonly toxicity?: Safeguard | undefined
  readonly factuality?: Safeguard | undefined
}

export interface GuardContext extends Omit<ChainContext, 'checks' | 'onFailure'> {
  readonly policy: Policy
  readonly detectors: Detectors
  readonly onFailure: (check: string, error: unknown) => void
}

/** Nothing is checked. */
export const noChecks: Policy = { name: 'none', input: {}, output: {} }

export const activeChecks = ({ input, output }: Policy, detectors: Detectors): ActiveChecks => {
  const each = (entries: Readonly<Record<string, CheckPolicy>>) =>
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
  detector: Safeguard | undefined,
  policy: Partial<CheckPolicy> = {},
): ActiveCheck => activeCheck(check, checks[check], { check, ...enforce, ...policy }, detector)

/** The same of the one that finds spans. */
export const onlySpans = (detector: SpanDetector, policy: Partial<CheckPolicy> = replace): SpanCheck =>
  only('pii', detector, policy) as SpanCheck

export const guard = <Service extends object>(
  capability: Capability<Service>,
  service: Service,
  { policy, detectors, onFailure, ...context }: GuardContext,
): Service =>
  chain(capability, service, {
    ...context,
    checks: activeChecks(policy, detectors),
    onFailure: ({ name }, error) => onFailure(name, error),
  })

export const enforce: CheckPolicy = { mode: 'enforce', threshold: 0.5, onFailure: 'block', budget: 100 }
export const replace: PiiPolicy = { ...enforce, action: 'replace', method: 'category', ignore: [] }

/** Finds every occurrence of a word. */
export const finder = (word: string, type: string): Safeguard => ({
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

export const broken = (fault: () => Promise<Inspection>): Safeguard => ({ inspect: fault })

/** Says the last message in pieces of the given sizes. */
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

export const run = async (
  text: string,
  policy: Partial<Policy>,
  detectors: Detectors,
  backend: ChatCapability = echo(),
) => {
  const verdicts: Verdict[] = []
  const guarded = guard(chat, backend, {
    policy: { ...noChecks, ...policy },
    detectors: { injection: undefined, pii: undefined, toxicity: undefined, factuality: undefined, ...detectors },
    onVerdict: (verdict) => verdicts.push(verdict),
    onFailure: () => undefined,
  })
  const pieces: ChatChunk[] = []
  let error: unknown
  try {
    for await (const piece of guarded.stream({ messages: [{ role: 'user', content: text }] }, call()))
      pieces.push(piece)
  } catch (thrown) {
    error = thrown
  }
  const said = pieces.map((piece) => ('delta' in piece ? piece.delta : '')).join('')
  return { said, pieces, error: isSallyportError(error) ? error.message : error, verdicts }
}

export const inspection = (change: Partial<Inspection>): Promise<Inspection> =>
  Promise.resolve({ findings: [], score: 0, explanation: '', detector: 'test', latency: 0, ...change })

/** Finds a word only where no letter or digit stands beside it. */
export const wholeWordFinder = (word: string): Safeguard => finder(`\\b${word}\\b`, 'SECRET')

/** A context that hears nothing, and has one detector of personal information. */
export const quiet = {
  detectors: { injection: undefined, pii: piiFinder('1234'), toxicity: undefined, factuality: undefined },
  onVerdict: () => undefined,
  onFailure: () => undefined,
}

/** The request as the model gets it. @throws where it does not */
export const received = async (
  request: ChatRequest,
  policy: Partial<Policy>,
  pii: SpanDetector = piiFinder('1234'),
): Promise<ChatRequest> => {
  let heard: ChatRequest | undefined
  const backend: ChatCapability = {
    async *stream(checked) {
      heard = checked
      yield await Promise.resolve({ finish: 'stop' as const })
    },
  }
  const guarded = guard(chat, backend, {
    policy: { ...noChecks, ...policy },
    ...quiet,
    detectors: { ...quiet.detectors, pii },
  })
  for await (const piece of guarded.stream(request, call())) expect(piece).to.be.an('object')
  return heard!
}

/** What the model is asked, or why it is not. */
export const asked = async (...request: Parameters<typeof received>): Promise<string> => {
  try {
    return (await received(...request)).messages.map(textOf).join('')
  } catch (error) {
    return (error as Error).message
  }
}

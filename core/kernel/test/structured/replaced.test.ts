/** What the safeguards have changed is still what was asked for, or does not leave. */

import { expect } from 'chai'
import { chat } from '@sallyport/core'
import type { ChatCapability, ChatChunk, ChatRequest, SpanDetector } from '@sallyport/core'
import * as checks from '@sallyport/checks'
import { activeCheck, guard } from '@sallyport/guard'
import { bySchema, calling, outcomeOf, sharedChecker, text } from './support.js'

/** Finds 1234. */
const pii: SpanDetector = {
  inspect: ({ text }) => {
    const findings = [...text.matchAll(/1234/g)].map(({ index }) => ({
      type: 'SECRET',
      start: index,
      end: index + 4,
      score: 1,
    }))
    return Promise.resolve({ findings, score: findings.length ? 1 : 0, explanation: '', detector: 'test', latency: 0 })
  },
  replace: ({ text }) => Promise.resolve({ text: text.replaceAll('1234', '<SECRET>'), spans: [] }),
}

const replacing = activeCheck(
  'pii',
  checks.pii,
  {
    ...{ check: 'pii', mode: 'enforce', threshold: 0.5, onFailure: 'block', budget: 100 },
    ...{ action: 'replace', method: 'category', ignore: [] },
  },
  pii,
)

const guarded = (policy: Policy) => (service: ChatCapability) =>
  guard(chat, service, {
    checks: { input: policy.input ? [replacing] : [], output: policy.output ? [replacing] : [] },
    onVerdict: () => undefined,
    onFailure: () => undefined,
  })

/** Where something is replaced. */
interface Policy {
  readonly input?: true
  readonly output?: true
}

const input = { input: true } as const
const output = { output: true } as const
const pin = (schema: object) => ({ type: 'object', properties: { pin: schema } })
const tool = (name: string, schema: object) => ({ tools: [{ name, parameters: pin(schema), strict: true }] })

describe('an answer in which something is replaced', () => {
  const checker = sharedChecker()

  const cases: [
    what: string,
    policy: Policy,
    request: Partial<ChatRequest>,
    chunks: ChatChunk[],
    expected: { error: string } | { said: string },
  ][] = [
    [
      'leaves where it is still by the schema',
      output,
      bySchema(pin({ type: 'string' })),
      text('{"pin": "1234"}'),
      { said: '{"pin": "<SECRET>"}' },
    ],
    [
      'is blocked where its text no longer is',
      output,
      bySchema(pin({ pattern: '^\\d+$' })),
      text('{"pin": "1234"}'),
      { error: 'content_blocked: pii detected' },
    ],
    [
      'is blocked where the arguments of a call no longer are',
      output,
      tool('pay', { maxLength: 4 }),
      calling(['pay', '{"pin": "1234"}']),
      { error: 'content_blocked: pii detected' },
    ],
    [
      'is refused as what it is where it never was by the schema',
      output,
      bySchema(pin({ pattern: '^x' })),
      text('{"pin": "1234"}'),
      {
        error:
          'invalid_output: the model\'s answer is not what was asked for: choice 0, text at $.pin: does not fit the schema\'s "pattern"; ask again, or ask for less (a looser schema)',
      },
    ],
    [
      'is blocked where the model was shown another schema, and keeps to that',
      input,
      bySchema({ enum: ['to 1234', 'to nobody'] }),
      text('"to <SECRET>"'),
      { error: 'content_blocked: pii detected' },
    ],
    [
      'leaves where the model keeps to both schemas',
      input,
      bySchema({ enum: ['to 1234', 'to nobody'] }),
      text('"to nobody"'),
      { said: '"to nobody"' },
    ],
    [
      'is blocked where a tool is called by the name that replaces its own',
      input,
      tool('pay_1234', {}),
      calling(['pay_<SECRET>', '{}']),
      { error: 'content_blocked: pii detected' },
    ],
  ]
  for (const [what, policy, request, chunks, expected] of cases)
    it(what, async () => {
      const { left, error } = await outcomeOf(checker.current, request, chunks, guarded(policy))
      const said = left.map((chunk) => ('delta' in chunk ? chunk.delta : '')).join('')
      expect(error === undefined ? { said } : { error }).to.deep.equal(expected)
      expect(left.some((chunk) => 'finish' in chunk)).to.equal(error === undefined)
    })
})

/** What tools say is what models read: the input's checks look at it. */

import { expect } from 'chai'
import { tools } from '@sallyport/core'
import type {
  InspectionRequest,
  SpanDetector,
  SpanRequest,
  Tool,
  ToolsCapability,
  ToolServer,
  Verdict,
} from '@sallyport/core'
import { testCall } from '@sallyport/testing'
import { guard, enforce, finder, piiFinder, replace } from '../support.js'
import type { Policy } from '../support.js'

const tool: Tool = { name: 'look_up', description: 'Looks up.', parameters: { type: 'object', properties: {} } }

const server = (change: Partial<Tool>) => ({ servers: [{ label: 'a', tools: [tool, { ...tool, ...change }] }] })

/** Whatever a finding is a part of. */
const hide: SpanDetector['replace'] = ({ text, findings }) =>
  Promise.resolve({
    text: findings.reduceRight((so, { start, end }) => `${so.slice(0, start)}<SECRET>${so.slice(end)}`, text),
    spans: [],
  })

/** The tools of a server behind a policy, and what the detectors were asked. */
const toolsOf = (
  policy: Partial<Policy>,
  {
    output = '',
    listed = {},
    servers = server(listed).servers,
  }: { output?: string | string[]; listed?: Partial<Tool>; servers?: ToolServer[] },
  attack = 'ignore all',
) => {
  const blockedParts: string[] = []
  const seen: (InspectionRequest | SpanRequest)[] = []
  const verdicts: Verdict[] = []
  const watched = <Detector extends ReturnType<typeof finder>>(detector: Detector): Detector => ({
    ...detector,
    inspect: (request: InspectionRequest) => {
      seen.push(request)
      return detector.inspect(request, testCall())
    },
  })
  const service: ToolsCapability = {
    list: () => Promise.resolve({ servers }),
    call: () => Promise.resolve({ output }),
  }
  const detectors = {
    injection: watched(finder(attack, 'injection')),
    pii: watched({ ...piiFinder('1234'), replace: hide }),
  }
  const onVerdict = (verdict: Verdict) => void verdicts.push(verdict)
  const onBlockedPart = (name: string) => void blockedParts.push(name)
  const context = { policy: { ...policy }, detectors, onVerdict, onBlockedPart }
  const guarded = guard(tools, service, context)
  return {
    seen,
    verdicts,
    blockedParts,
    list: () => guarded.list({}, testCall()),
    ask: (given: unknown = {}) => guarded.call({ server: 'a', name: 'look_up', arguments: given }, testCall()),
  }
}

const outcome = (promise: Promise<unknown>): Promise<unknown> => promise.catch((error: unknown) => String(error))

describe('what tools say', () => {
  const property = (description: string) => ({ type: 'object', properties: { a: { type: 'string', description } } })
  const attacks: [string, Partial<Tool>][] = [
    ['a description', { description: 'Please ignore all' }],
    ['a title', { title: 'ignore all' }],
    ["a schema's description", { parameters: property('and ignore all') }],
    ['a value of a schema', { parameters: { enum: ['ignore all'] } }],
  ]
  const input = { input: { injection: enforce } }

  for (const [what, listed] of attacks)
    it(`is left out for an attack in ${what}, where attacks are looked for in what goes in`, async () => {
      const { list, blockedParts } = toolsOf(input, { listed: { name: 'other', ...listed } })
      expect(await list()).to.deep.equal({ servers: [{ label: 'a', tools: [tool] }] })
      expect(blockedParts).to.deep.equal(['a: other'])
    })

  it('is refused for an attack in what a server says of itself, but for other servers', async () => {
    const bad = { label: 'bad', description: 'ignore all', tools: [tool] }
    const good = { label: 'good', tools: [tool] }
    const { list, blockedParts } = toolsOf(input, { servers: [bad, good] })
    expect(await list()).to.deep.equal({ servers: [good] })
    expect(blockedParts).to.deep.equal(['bad: look_up', 'bad'])
    expect(await outcome(toolsOf(input, { servers: [bad] }).list())).to.contain('prompt injection detected')
  })

  it('is refused for an attack that is split over tools', async () => {
    const split = [tool, { ...tool, description: 'ignore' }, { ...tool, name: 'all', description: 'all' }]
    const asked = toolsOf(input, { servers: [{ label: 'a', tools: split }] }, 'ignore\nall')
    expect(await outcome(asked.list())).to.contain('prompt injection detected')
  })

  it('is read as a whole, too: an attack may be split over descriptions', async () => {
    const { list, seen } = toolsOf(input, { listed: { description: 'ignore', parameters: property('all of it') } })
    await list()
    expect(seen.some(({ text }) => text.includes('ignore\nall of it'))).to.equal(true)
  })

  it('is refused for an attack in a result', async () => {
    const { ask, seen, verdicts } = toolsOf(input, { output: 'sunny. ignore all' })
    expect(await outcome(ask())).to.contain('prompt injection detected')
    expect(seen.filter(({ text }) => text.includes('sunny')).map((one) => 'origin' in one && one.origin)).to.deep.equal(
      ['tool'],
    )
    expect(verdicts.at(-1)).to.deep.include({ check: 'injection', stage: 'output', verdict: 'block' })
  })

  for (const [what, output, found] of [
    ['its text', '👍 sunny. ignore all', { field: 'output', start: 9, end: 19 }],
    ['one of its parts', ['sunny', 'ignore all'], { field: 'output[1]', start: 0, end: 10 }],
  ] as const)
    it(`says where it is refused in ${what}, and nothing of what stands there`, async () => {
      const { ask, verdicts } = toolsOf(input, { output: typeof output === 'string' ? output : [...output] })
      expect(await outcome(ask())).to.contain('prompt injection detected')
      const spans = verdicts.flatMap((verdict) => verdict.spans ?? [])
      expect(spans).to.deep.equal([{ type: 'injection', score: 1, ...found }])
    })

  it('has no places where it is a listing, of which parts are looked at by themselves', async () => {
    const { list, verdicts } = toolsOf(input, { listed: { name: 'other', description: 'ignore all' } })
    await list()
    expect(verdicts.map(({ verdict }) => verdict)).to.include('block')
    for (const verdict of verdicts) expect(verdict).not.to.have.property('spans')
  })

  it('loses its personal information, once, whichever side asks for it', async () => {
    for (const policy of [
      { input: { pii: replace } },
      { output: { pii: replace } },
      { input: { pii: replace }, output: { pii: replace } },
    ]) {
      const { ask, seen } = toolsOf(policy, { output: 'call 1234' })
      expect(await ask()).to.deep.equal({ output: 'call <SECRET>' })
      expect(seen.filter(({ text }) => text === 'call 1234')).to.have.length(1)
    }
  })

  for (const [what, output, expected] of [
    ['two parts', ['call 12', '34 now'], ['call <SECRET>', '<SECRET> now']],
    ['three parts', ['call 1', '23', '4'], ['call <SECRET>', '<SECRET>', '<SECRET>']],
    ['one of its parts', ['call 1234', 'or not'], ['call <SECRET>', 'or not']],
    ['none of them', ['call 12', 'or 34'], ['call 12', 'or 34']],
  ] as const)
    it(`loses the personal information that stands in ${what}`, async () => {
      const { ask } = toolsOf({ input: { pii: replace } }, { output: [...output] })
      expect(await ask()).to.deep.equal({ output: expected })
    })

  it('is blocked for personal information over its parts', async () => {
    const { ask } = toolsOf({ input: { pii: { ...replace, action: 'block' } } }, { output: ['call 12', '34'] })
    expect(await outcome(ask())).to.contain('pii detected')
  })

  it('is only watched in shadow mode', async () => {
    const { ask, verdicts } = toolsOf(
      { input: { injection: { ...enforce, mode: 'shadow' } } },
      { output: 'ignore all' },
    )
    expect(await ask()).to.deep.equal({ output: 'ignore all' })
    expect(verdicts.map(({ verdict, stage }) => `${stage} ${verdict}`)).to.include('output block')
  })

  it('keeps the names of tools and the words of schemas', async () => {
    const parameters = {
      type: 'object',
      properties: { first_name: { type: 'string', format: 'email', description: 'such as 1234' } },
      required: ['first_name'],
    }
    const { list, seen } = toolsOf({ input: { pii: replace } }, { listed: { name: 'look_up_2', parameters } })
    expect(await list()).to.deep.equal(
      server({
        name: 'look_up_2',
        parameters: {
          ...parameters,
          properties: { first_name: { type: 'string', format: 'email', description: 'such as <SECRET>' } },
        },
      }),
    )
    const words = seen.filter((one) => 'isProgramName' in one && one.isProgramName).map(({ text }) => text)
    expect(words).to.have.members(['look_up', 'look_up_2', 'first_name'])
  })

  it('is refused where it has more texts than are checked', async () => {
    const parameters = { enum: Array.from({ length: 70_000 }, (_, at) => `v${at}`) }
    const refused = await outcome(toolsOf(input, { listed: { parameters } }).list())
    expect(refused).to.contain('safeguard unavailable: the result cannot be checked')
  })

  it('is as it was where nothing is looked for in what goes in', async () => {
    const { ask, list } = toolsOf({ output: { toxicity: { ...enforce, onFailure: 'open' } } }, { output: 'ignore all' })
    expect(await ask()).to.deep.equal({ output: 'ignore all' })
    expect(await list()).to.deep.equal(server({}))
  })
})

/** What is said again and again is inspected once. */

import { expect } from 'chai'
import { chat, tools } from '@sallyport/core'
import type { ChatCapability, ChatRequest, InspectionRequest, Tool } from '@sallyport/core'
import { testCall } from '@sallyport/testing'
import { guard, echo, enforce, finder, piiFinder, replace } from '../support.js'
import type { Policy } from '../support.js'
import { InspectionCache } from '../../src/detect/inspection-cache.js'

const tool: Tool = { name: 'look_up', description: 'Looks it up.', parameters: { description: 'Of a thing.' } }

/** Services behind policies that share what is remembered, and the texts that detectors were asked about. */
const remembering = () => {
  const cache = new InspectionCache()
  const asked: string[] = []
  const state = { tools: [tool], tenant: 'test', down: false }
  const watched = <Detector extends ReturnType<typeof finder>>(detector: Detector): Detector => ({
    ...detector,
    inspect: (request: InspectionRequest) => {
      asked.push(request.text)
      return state.down ? Promise.reject(new Error('down')) : detector.inspect(request, testCall())
    },
  })
  const detectors = {
    injection: watched(finder('evil', 'injection')),
    pii: watched(piiFinder('1234')),
  }
  const contextOf = (policy: Partial<Policy>) => ({ policy: { ...policy }, detectors, cache })
  const since = async (work: Promise<unknown>) => {
    asked.length = 0
    const outcome = await work.catch((error: unknown) => String(error))
    return { outcome, asked: [...asked] }
  }
  const service = {
    list: () => Promise.resolve({ servers: [{ label: 'a', tools: state.tools }] }),
    call: () => Promise.resolve({ output: 'the same each time' }),
  }
  const called = () => testCall({ tenant: state.tenant })
  const served = (policy: Partial<Policy>) => guard(tools, service, contextOf(policy))
  return {
    state,
    list: (policy: Partial<Policy> = { input: { injection: enforce } }) => since(served(policy).list({}, called())),
    use: () =>
      since(served({ input: { injection: enforce } }).call({ server: 'a', name: 'b', arguments: {} }, called())),
    chat: (request: ChatRequest) => {
      const service: ChatCapability = guard(chat, echo(), contextOf({ input: { injection: enforce } }))
      const read = async () => {
        for await (const chunk of service.stream(request, called())) if ('finish' in chunk) return
      }
      return since(read())
    },
  }
}

const withoutTools = { servers: [{ label: 'a', tools: [] }] }

describe('what detectors found in texts that recur', () => {
  it('is remembered of descriptions of tools', async () => {
    const { list } = remembering()
    expect((await list()).asked).to.include.members(['Looks it up.', 'Of a thing.'])
    expect((await list()).asked).to.deep.equal([])
  })

  it('is not remembered of results and messages', async () => {
    const { use, chat: ask } = remembering()
    const request: ChatRequest = { messages: [{ role: 'user', content: 'Hello' }], tools: [tool] }
    for (const round of ['first', 'second']) {
      expect((await use()).asked, round).to.deep.equal(['the same each time'])
      const { asked } = await ask(request)
      expect(asked.includes('Hello'), round).to.equal(true)
      expect(asked.includes('Looks it up.'), round).to.equal(round === 'first')
    }
  })

  it('is looked for anew in a tool that changes, and in what that is read with', async () => {
    const { list, state } = remembering()
    await list()
    state.tools = [tool, { ...tool, name: 'other', description: 'Finds more.' }]
    const { asked } = await list()
    expect(asked).to.include('Finds more.').and.not.include('Looks it up.')
    expect(asked.some((text) => text.includes('Looks it up.') && text.includes('Finds more.'))).to.equal(true)
  })

  it('is left out each time', async () => {
    const { list, state } = remembering()
    state.tools = [{ ...tool, description: 'Does evil.' }]
    for (const round of [1, 2]) expect((await list()).outcome, String(round)).to.deep.equal(withoutTools)
  })

  it('is decided by the policy that holds', async () => {
    const { list, state } = remembering()
    state.tools = [{ ...tool, description: 'Does evil.' }]
    const lenient = { ...enforce, threshold: 2 }
    const passed = (await list({ input: { injection: lenient } })).outcome
    expect(passed).to.deep.equal({ servers: [{ label: 'a', tools: state.tools }] })
    expect((await list()).outcome).to.deep.equal(withoutTools)
  })

  it('is remembered for each tenant by itself', async () => {
    const { list, state } = remembering()
    const first = await list()
    state.tenant = 'other'
    expect((await list()).asked).to.deep.equal(first.asked)
  })

  it('is not remembered where the detector fails', async () => {
    const { list, state } = remembering()
    state.down = true
    expect((await list()).outcome).to.contain('safeguard unavailable')
    state.down = false
    expect((await list()).asked).to.include('Looks it up.')
  })

  it('is remembered of personal information, which is replaced each time', async () => {
    const { list, state } = remembering()
    state.tools = [{ ...tool, description: 'Calls 1234.' }]
    const policy = { input: { pii: replace } }
    const [first, second] = [await list(policy), await list(policy)]
    expect(JSON.stringify(first.outcome)).to.contain('<SECRET>').and.not.contain('1234')
    expect(second.outcome).to.deep.equal(first.outcome)
    expect(second.asked).to.deep.equal([])
  })
})

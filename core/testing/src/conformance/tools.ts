import assert from 'node:assert/strict'
import type { ToolCallRequest, ToolCallResult, ToolsCapability, ToolServer } from '@sallyport/core'
import { callCases } from './call-cases.js'
import { cases, needs } from './case.js'
import type { ConformanceCase } from './case.js'
import type { ModelFacts } from './facts.js'
import { assertPresent, rejectsWith, testCall } from './support.js'

const needsCalls = needs('toolCalls')

const toolCallOf = ({ toolCalls }: ModelFacts, which: 0 | 1): ToolCallRequest =>
  toolCalls?.[which] ?? assert.fail('no tool calls')

const list = async (service: ToolsCapability) => (await service.list({}, testCall())).servers

const assertUnique = (names: readonly string[], what: string): void => {
  for (const name of names) assert.ok(name, `a ${what} has no name`)
  assert.equal(new Set(names).size, names.length, `two ${what}s have the same name`)
}

export const toolsCases: readonly ConformanceCase<ToolsCapability>[] = [
  ...callCases<ToolsCapability, object, { servers: ToolServer[] }>({
    method: 'list',
    withoutArguments: true,
    request: () => ({}),
    invoke: (service, request, call) => service.list(request, call),
  }),
  ...callCases<ToolsCapability, ToolCallRequest, ToolCallResult>({
    method: 'call',
    skipReason: needsCalls,
    request: toolCallOf,
    invoke: (service, request, call) => service.call(request, call),
  }),
  ...cases<ToolsCapability>({
    'servers and the tools of each have names of their own, and tools a schema': async (service) => {
      const servers = await list(service)
      assertUnique(
        servers.map(({ label }) => label),
        'server',
      )
      for (const { tools } of servers) {
        assertUnique(
          tools.map(({ name }) => name),
          'tool',
        )
        for (const { name, parameters } of tools)
          assert.ok(typeof parameters === 'object' && parameters !== null, `the tool ${name} has no schema`)
      }
    },
    'changes to a list that was returned do not show in the next': async (service) => {
      const first = await list(service)
      const before = structuredClone(first)
      for (const { tools } of first) tools.length = 0
      assert.deepEqual(structuredClone(await list(service)), before)
    },
  }),
  ...cases<ToolsCapability>(
    {
      'a tool that can be called is in the list': async (service, { toolCalls = [] }) => {
        const servers = await list(service)
        for (const { server, name } of toolCalls) {
          const found = servers.find(({ label }) => label === server)?.tools.some((tool) => tool.name === name)
          assert.ok(found, `${server} lists no ${name}`)
        }
      },
      'a call that works says so': async (service, facts) => {
        const { output, error = false } = await service.call(toolCallOf(facts, 0), testCall())
        for (const part of [output].flat()) assert.equal(typeof part, 'string')
        assert.equal(error, false)
      },
      'an unknown tool is refused with unsupported': async (service, facts) => {
        for (const name of ['no-such-tool', '__proto__', 'constructor', 'toString', ''])
          await rejectsWith(service.call({ ...toolCallOf(facts, 0), name }, testCall()), 'unsupported')
      },
      'an unknown server is refused with unsupported': async (service, facts) => {
        for (const server of ['no-such-server', '__proto__', ''])
          await rejectsWith(service.call({ ...toolCallOf(facts, 0), server }, testCall()), 'unsupported')
      },
    },
    needsCalls,
  ),
  ...cases<ToolsCapability>(
    {
      'a tool’s own failure is an answer, not an exception': async (service, { failingToolCall }) => {
        const request = assertPresent(failingToolCall, 'failingToolCall')
        const outcome = await service.call(request, testCall())
        assert.equal(outcome.error, true)
        assert.ok(outcome.output.length, 'the model is told nothing of the failure')
      },
    },
    needs('failingToolCall'),
  ),
]

import { outputText, tools, failure, isSallyportError } from '@sallyport/core'
import type { ToolsCapability, ToolServer } from '@sallyport/core'
import { references } from '../../reference/references.js'
import { plant } from '../plant.js'
import { answeredBy, askedOf, callFaults, calling, withoutMixing } from './calls.js'

const changeServers = (change: (server: ToolServer) => ToolServer) =>
  answeredBy<ToolsCapability, 'list'>('list', ({ servers }) => ({ servers: servers.map(change) }))

/** Instead of a refusal, an answer for the model. */
const answeringUnknown = (of: 'name' | 'server', known: string) =>
  calling<ToolsCapability, 'call'>('call', (inner) => async (request, call) => {
    try {
      return await inner(request, call)
    } catch (error) {
      if (!isSallyportError(error) || request[of] === known) throw error
      return { output: 'unknown', error: true }
    }
  })

export const toolsFaults = plant<ToolsCapability>({
  capability: tools,
  ...references.tools,
  faults: {
    ...withoutMixing(
      callFaults<ToolsCapability, 'list'>('list', (_, times) => ({ servers: [{ label: `${times}`, tools: [] }] })),
    ),
    ...callFaults<ToolsCapability, 'call'>('call', (_, times) => ({ output: `${times}` })),
    'servers and the tools of each have names of their own, and tools a schema': changeServers((server) => ({
      ...server,
      tools: server.tools.map((tool) => ({ ...tool, parameters: undefined })),
    })),
    'a tool that can be called is in the list': changeServers((server) => ({
      ...server,
      tools: server.tools.slice(0, 1),
    })),
    'a call that works says so': answeredBy('call', (result) => ({ ...result, error: true })),
    'a tool’s own failure is an answer, not an exception': calling('call', (inner) => async (request, call) => {
      const result = await inner(request, call)
      if (result.error) throw failure('upstream_failed', { model: request.server, problem: outputText(result) })
      return result
    }),
    'an unknown tool is refused with unsupported': askedOf('call', ({ name, ...request }) => ({
      ...request,
      name: name || 'add',
    })),
    'an unknown server is refused with unsupported': answeringUnknown('server', 'reference'),
    'changes to a list that was returned do not show in the next': calling('list', (inner) => {
      let cached: Promise<{ servers: ToolServer[] }> | undefined
      return (request, call) => (cached ??= inner(request, call))
    }),
  },
})

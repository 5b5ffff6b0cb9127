import { failure } from '@sallyport/core'
import type { ToolCallResult, ToolsCapability, ToolServer } from '@sallyport/core'
import { referenceService } from './backend.js'

const server: ToolServer = {
  label: 'reference',
  description: 'Adds and repeats.',
  tools: [
    {
      name: 'add',
      description: 'Adds two numbers.',
      parameters: {
        type: 'object',
        properties: { a: { type: 'number' }, b: { type: 'number' } },
        required: ['a', 'b'],
      },
    },
    {
      name: 'echo',
      description: 'Repeats a text.',
      parameters: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
    },
  ],
}

type Run = (toolArguments: Readonly<Record<string, unknown>>) => ToolCallResult

const wrongArguments = (expected: string): ToolCallResult => ({
  output: `wrong arguments: expected ${expected}`,
  error: true,
})

const toolRuns = new Map<string, Run>([
  [
    'add',
    ({ a, b }) =>
      typeof a === 'number' && typeof b === 'number' ? { output: String(a + b) } : wrongArguments('numbers a and b'),
  ],
  ['echo', ({ text }) => (typeof text === 'string' ? { output: text } : wrongArguments('a string text'))],
])

/** A tool server in memory. */
export const MemoryTools = referenceService<ToolsCapability>({
  list: () => ({ servers: [structuredClone(server)] }),
  call: ({ server: label, name, arguments: toolArguments }) => {
    const run = label === server.label ? toolRuns.get(name) : undefined
    if (!run) throw failure('unsupported', { problem: `there is no tool ${name} on a server ${label}` })
    return run(typeof toolArguments === 'object' && toolArguments !== null ? { ...toolArguments } : {})
  },
})

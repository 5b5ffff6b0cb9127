import { inject, injectable } from 'tsyringe'
import { failure, options } from '@sallyport/core'
import type { Call, ToolCallRequest, ToolCallResult, ToolsCapability, ToolServer } from '@sallyport/core'
import { pause } from './options.js'
import type { ReferenceOptions } from './options.js'

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

type Run = (given: Readonly<Record<string, unknown>>) => ToolCallResult

const wrong = (wanted: string): ToolCallResult => ({ output: `wrong arguments: give ${wanted}`, error: true })

const runs = new Map<string, Run>([
  [
    'add',
    ({ a, b }) =>
      typeof a === 'number' && typeof b === 'number' ? { output: String(a + b) } : wrong('numbers a and b'),
  ],
  ['echo', ({ text }) => (typeof text === 'string' ? { output: text } : wrong('a text'))],
])

/** A tool server in memory. */
@injectable()
export class MemoryTools implements ToolsCapability {
  constructor(@inject(options) private readonly options: ReferenceOptions) {}

  async list(_: object, call: Call): Promise<{ servers: ToolServer[] }> {
    await pause(this.options, call)
    return { servers: [structuredClone(server)] }
  }

  async call({ server: label, name, arguments: given }: ToolCallRequest, call: Call): Promise<ToolCallResult> {
    await pause(this.options, call)
    const run = label === server.label ? runs.get(name) : undefined
    if (!run) throw failure('unsupported', { problem: `there is no tool ${name} on a server ${label}` })
    return run(typeof given === 'object' && given !== null ? { ...given } : {})
  }
}

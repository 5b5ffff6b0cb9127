/** A tool server to try things with, as a program on standard input and output: it computes, and tells the time. */

import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { CallToolRequestSchema, ErrorCode, ListToolsRequestSchema, McpError } from '@modelcontextprotocol/sdk/types.js'
import { calculate } from './calculate.js'
import { timeIn } from './time.js'

interface SmallTool {
  readonly description: string
  readonly argument: string
  readonly schema: { readonly description: string; readonly maxLength: number }
  /** @throws RangeError for an argument that it does not understand */
  readonly run: (argument: string) => string
}

const tools: Readonly<Record<string, SmallTool>> = {
  calculate: {
    description: 'Computes an arithmetic expression of numbers, + - * / % ^ and parentheses.',
    argument: 'expression',
    schema: { description: 'such as (3 + 4) * 2.5', maxLength: 1000 },
    run: (expression) => String(calculate(expression)),
  },
  time: {
    description: 'Tells the day of the week, the date and the time in a time zone.',
    argument: 'zone',
    schema: { description: 'its IANA name, such as UTC or Europe/Berlin', maxLength: 64 },
    run: (zone) => timeIn(zone, new Date()),
  },
}

const { server } = new McpServer({ name: 'small-tools', version: '1.0.0' }, { capabilities: { tools: {} } })

server.setRequestHandler(ListToolsRequestSchema, () => ({
  tools: Object.entries(tools).map(([name, { description, argument, schema }]) => ({
    name,
    description,
    inputSchema: {
      type: 'object' as const,
      properties: { [argument]: { type: 'string', description: schema.description } },
      required: [argument],
      additionalProperties: false,
    },
  })),
}))

/** What is wrong with an argument is a result, which the model may mend. */
server.setRequestHandler(CallToolRequestSchema, ({ params: { name, arguments: given = {} } }) => {
  const tool = Object.hasOwn(tools, name) ? tools[name] : undefined
  if (!tool) throw new McpError(ErrorCode.InvalidParams, `there is no tool ${name}`)
  const answer = (text: string, isError = false) => ({ content: [{ type: 'text' as const, text }], isError })
  const argument = given[tool.argument]
  if (typeof argument !== 'string' || argument.length > tool.schema.maxLength)
    return answer(`${tool.argument} must be a string of at most ${tool.schema.maxLength} characters`, true)
  try {
    return answer(tool.run(argument))
  } catch (error) {
    if (error instanceof RangeError) return answer(error.message, true)
    throw error
  }
})

await server.connect(new StdioServerTransport())

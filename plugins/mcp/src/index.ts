/** Offers tools of other servers over the Model Context Protocol. */

import { definePlugin, tools } from '@sallyport/core'
import { toolsCommand } from './commands.js'
import { optionsSchema } from './options.js'
import { McpTools, ToolServerService } from './service.js'

export type { McpOptions } from './options.js'

export default definePlugin({
  name: '@sallyport/mcp',
  section: 'mcp',
  options: optionsSchema,
  models: {
    mcp: { capability: tools, class: McpTools, description: 'Tools of servers that speak the Model Context Protocol.' },
  },
  services: [ToolServerService],
  commands: [toolsCommand],
})

/** The HTTP adapter serves every loaded capability as a route, in the specification's dialect and in OpenAI's. */

import { definePlugin } from '@sallyport/core'
import { psCommand } from './admin/commands.js'
import { AdminListener } from './admin/listener.js'
import { auditCommand } from './audit/commands.js'
import { keysCommand } from './auth/commands.js'
import { serverSchema } from './options.js'
import { HttpServer } from './server.js'
import { usageCommand } from './usage-command.js'

export { createApp, handler } from './app.js'
export type { AppOptions, NodeHandler } from './app.js'
export type { Authenticator, Identity } from './auth/credential.js'
export { KeyStore } from './auth/key-store.js'
export type { ServerOptions, ServerOptionsInput } from './options.js'
export { HttpServer } from './server.js'

export default definePlugin({
  name: '@sallyport/koa',
  section: 'server',
  options: serverSchema,
  services: [HttpServer, AdminListener],
  commands: [auditCommand, keysCommand, psCommand, usageCommand],
})

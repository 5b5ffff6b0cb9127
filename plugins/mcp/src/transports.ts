/** Creates transports to the servers of the configuration and of requests. */

import { lookup } from 'node:dns/promises'
import { existsSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { childEnvironment, findProgram } from '@sallyport/kit/processes'
import type { ProgramStart } from '@sallyport/kit/processes'
import { failure } from '@sallyport/core'
import type { Logger } from '@sallyport/core'
import { OutboundFetch } from '@sallyport/outbound'
import type { Resolve } from '@sallyport/outbound'
import { ServerFault } from './fault.js'
import { validHeaders, HeaderProblem } from './headers.js'
import type { Limits, ServerOptions } from './options.js'
import type { HttpEndpoint } from './transport/mcp-fetch.js'
import { HttpTransport } from './transport/http.js'
import { StdioTransport } from './transport/stdio.js'
import type { MessageLimits, TransportFactory } from './transport/tool-transport.js'

const minMessageBytes = 8 * 1024 * 1024

/** Messages may be larger than outputs, because JSON escapes text, and lists need room, too. */
const messageLimits = ({ maxOutput, maxMessages }: Limits, tenant: string): MessageLimits => ({
  maxBytes: Math.max(minMessageBytes, 4 * maxOutput),
  maxMessages,
  tenant,
})

const resolveBySystem: Resolve = async (name) => (await lookup(name, { all: true })).map(({ address }) => address)

/**
 * Returns a function to call for each new connection, as the program is looked up each time. It returns factories of
 * transports, in the order in which to try them.
 * @param label of the server
 * @param directory to which paths are relative
 */
export const configuredTransports = (
  label: string,
  options: ServerOptions,
  directory: string,
  logger: Logger,
): (() => readonly TransportFactory[]) => {
  const { url, transport, headers, authorization } = options
  if (url !== undefined) {
    const endpoint = {
      url,
      fetch: new OutboundFetch({ hosts: [new URL(url).host], privateAddresses: true }, resolveBySystem),
      credentials: validHeaders(Object.entries(headers), authorization),
    }
    return () => httpTransports(endpoint, label, options, transport)
  }
  return () => {
    const start = programStart(options, directory)
    const onLine = (line: string) => logger.debug({ line }, 'output of the tool server')
    return [() => new StdioTransport(start, onLine, messageLimits(options, label))]
  }
}

/** @param tenant the tenant, or the label of a configured server; the messages of several are read in turns */
export const httpTransports = (
  endpoint: Pick<HttpEndpoint, 'url' | 'fetch' | 'credentials'>,
  tenant: string,
  limits: Limits,
  transport: ServerOptions['transport'],
): readonly TransportFactory[] => {
  const limitedEndpoint = { ...endpoint, ...messageLimits(limits, tenant), maxTimeout: limits.maxTimeout }
  const kinds = transport === 'auto' ? (['streamable-http', 'sse'] as const) : [transport]
  return kinds.map((kind) => () => new HttpTransport(limitedEndpoint, kind))
}

/** @throws ServerFault where the program no longer exists */
const programStart = (options: ServerOptions, directory: string): ProgramStart => {
  const env = childEnvironment(process.env, options.env)
  const program = programOf(options, directory, env)
  if (program === undefined) throw new ServerFault('has a command that is no longer an executable program')
  return { program, args: options.args, cwd: resolve(directory, options.cwd ?? '.'), env }
}

const programOf = (
  { command = '' }: ServerOptions,
  directory: string,
  { PATH = '' }: Readonly<Record<string, string>>,
): string | undefined => findProgram(command.includes('/') ? resolve(directory, command) : command, PATH)

/**
 * Validates the servers of a configuration without starting or contacting them.
 * @throws config_invalid
 */
export const checkServers = (servers: Readonly<Record<string, ServerOptions>>, directory: string): void => {
  for (const [label, server] of Object.entries(servers)) {
    const refuse = (option: string, problem: string): never => {
      throw failure('config_invalid', { problem, option: ['servers', label, option] })
    }
    if (server.url === undefined && server.command === undefined)
      refuse('command', 'is missing, and so is url: a server needs one of them, to be started or to be reached')
    if (server.url !== undefined && server.command !== undefined)
      refuse('url', 'cannot be combined with command: give one of them')
    if (server.url === undefined) checkProgram(server, directory, refuse)
    else checkAddress(server, server.url, refuse)
  }
}

type Refuse = (option: string, problem: string) => never

const checkProgram = (server: ServerOptions, directory: string, refuse: Refuse): void => {
  const { command = '', cwd } = server
  const onlyHttp = (['headers', 'authorization'] as const).find((name) => Object.keys(server[name] ?? {}).length)
  if (onlyHttp) refuse(onlyHttp, 'is for servers with a url: give a program what it needs with env')
  const path = resolve(directory, cwd ?? '.')
  if (!existsSync(path) || !statSync(path).isDirectory()) refuse('cwd', `there is no directory ${path}`)
  const where = command.includes('/') ? 'at this path' : 'on the PATH'
  if (programOf(server, directory, childEnvironment(process.env, server.env)) === undefined)
    refuse('command', `there is no program "${command}" ${where}: install it, or correct the name`)
}

const checkAddress = (server: ServerOptions, url: string, refuse: Refuse): void => {
  const { headers, authorization } = server
  const onlyProgram = (['args', 'env', 'cwd'] as const).find((name) => Object.keys(server[name] ?? {}).length)
  if (onlyProgram)
    refuse(onlyProgram, 'is for servers with a command: give a server with a url what it needs with headers')
  if (!URL.canParse(url)) refuse('url', 'must be an address such as https://tools.example.com/mcp')
  const { protocol, username, password } = new URL(url)
  if (protocol !== 'https:' && protocol !== 'http:') refuse('url', 'must begin with https:// or http://')
  if (username || password) refuse('url', 'must have no user name or password: use authorization or headers')
  try {
    validHeaders(Object.entries(headers), authorization)
  } catch (error) {
    if (!(error instanceof HeaderProblem)) throw error
    const { index, part, message } = error
    if (index === undefined) refuse('authorization', message)
    const header = `the header ${JSON.stringify(Object.keys(headers)[index])}`
    refuse('headers', `${part === 'value' ? `the value of ${header}` : header} ${message}`)
  }
}

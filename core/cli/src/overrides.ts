/** Values from the command line and the environment that override the configuration. */

import { parseOverride } from '@sallyport/config'
import type { ConfigOverride } from '@sallyport/config'
import { failure } from '@sallyport/core'

export const setOption = {
  flags: '--set <path=value...>',
  description: 'replace a value of the configuration, such as server.port=8080; may be given several times',
}

export interface SetOptions {
  readonly set?: readonly string[]
}

export interface ServeOptions extends SetOptions {
  readonly host?: string
  readonly port?: string
  readonly eager?: boolean
}

/** @throws config_invalid */
export const setOverrides = ({ set = [] }: SetOptions): ConfigOverride[] => set.map(parseOverride)

/** Later overrides win, so the command line has precedence over the environment. @throws config_invalid */
export const serveOverrides = (
  options: ServeOptions,
  environment: Readonly<Record<string, string | undefined>>,
): ConfigOverride[] => [
  ...hostOverride(environment.SALLYPORT_HOST, 'SALLYPORT_HOST'),
  ...portOverride(environment.PORT, 'PORT'),
  ...setOverrides(options),
  ...hostOverride(options.host, '--host'),
  ...portOverride(options.port, '--port'),
  ...(options.eager ? [{ path: ['load'], value: 'start', label: '--eager' }] : []),
]

/** Quotes the host, because the values of overrides are YAML, in which `::` is a map. */
const hostOverride = (host: string | undefined, label: string): ConfigOverride[] =>
  host ? [{ path: ['server', 'host'], value: JSON.stringify(host), label }] : []

const portOverride = (port: string | undefined, label: string): ConfigOverride[] =>
  port ? [{ path: ['server', 'port'], value: portNumber(port, label), label }] : []

const portNumber = (text: string, where: string): number => {
  const port = Number(text)
  if (!/^\d+$/.test(text) || port > 65_535)
    throw failure('config_invalid', { where, problem: `"${text}" is not a port: give a number from 0 to 65535` })
  return port
}

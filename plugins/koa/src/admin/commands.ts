import { failure } from '@sallyport/core'
import type { CommandDefinition, ModelUse } from '@sallyport/core'
import { alignColumns, formatBytes } from '@sallyport/kit/text'
import { ask, runningServers } from './client.js'
import type { RunningServer } from './client.js'

const headings = ['MODEL', 'STATE', 'REQUESTS', 'MEMORY', 'KEPT', 'LAST USED']

const minutes = (count: number): string => (count === 1 ? '1 minute' : `${count} minutes`)

const toRow = ({ id, state, users, bytes, keep, lastUsed }: ModelUse, now: number): string[] => [
  id,
  state,
  String(users),
  bytes ? formatBytes(bytes) : '',
  keep === 'always' ? keep : minutes(keep),
  lastUsed === undefined ? 'never' : `${minutes(Math.floor((now - lastUsed) / 60_000))} ago`,
]

const usesOf = async (server: RunningServer) => (await ask(server, 'GET', '/models')) as readonly ModelUse[]

/** `sallyport ps`, `ps load <model>`, `ps unload <model>` */
export const psCommand: CommandDefinition = {
  name: 'ps',
  description: 'show the models of running servers, and load or unload them',
  commands: (['load', 'unload'] as const).map((action) => ({
    name: action,
    description: `${action} a model of a running server`,
    arguments: [{ name: '<model>', description: 'its id' }],
    run: async ({ arguments: [model = ''] }, { home, print }) => {
      for (const server of await requireServers(home)) {
        await ask(server, 'POST', `/models/${encodeURIComponent(model)}/${action}`)
        print(`${action}ed ${model}`)
      }
    },
  })),
  run: async (_, { home, print }) => {
    for (const server of await requireServers(home)) {
      print(`server ${server.pid}`)
      for (const row of alignColumns([headings, ...(await usesOf(server)).map((use) => toRow(use, Date.now()))]))
        print(`  ${row}`)
    }
  },
}

/** @throws invalid_request where no server runs */
const requireServers = async (home: string): Promise<readonly RunningServer[]> => {
  const servers = await runningServers(home)
  if (servers.length) return servers
  throw failure('invalid_request', { problem: `no server runs with the state directory ${home}` })
}

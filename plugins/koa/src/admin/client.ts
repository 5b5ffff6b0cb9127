/** Reaches the running servers of this machine by their sockets. */

import { readdirSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { failure, systemCode } from '@sallyport/core'
import { adminDirectory } from './listener.js'

/** A running server. */
export interface RunningServer {
  readonly pid: number
  readonly socket: string
}

/** The servers that run with this state directory. Sockets that a killed server left are removed. */
export const runningServers = async (home: string): Promise<readonly RunningServer[]> => {
  const found = await Promise.all(
    socketsIn(adminDirectory(home)).map(async (one) => ((await isAlive(one)) ? [one] : [])),
  )
  return found.flat()
}

const socketsIn = (directory: string): RunningServer[] => {
  try {
    return readdirSync(directory).flatMap((name) => {
      const pid = Number(/^(\d+)\.sock$/.exec(name)?.[1])
      return pid ? [{ pid, socket: join(directory, name) }] : []
    })
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return []
    throw error
  }
}

const isAlive = async (server: RunningServer): Promise<boolean> => {
  try {
    await ask(server, 'GET', '/models')
    return true
  } catch (error) {
    if (systemCode(error) !== 'ECONNREFUSED' && systemCode(error) !== 'ENOENT') throw error
    rmSync(server.socket, { force: true })
    return false
  }
}

/** @throws invalid_request with what the server says where it refuses; errors of the connection */
export const ask = ({ socket: socketPath }: RunningServer, method: string, path: string): Promise<unknown> =>
  new Promise((resolve, reject) => {
    const asked = request({ socketPath, method, path }, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (part: string) => (text += part))
      response.on('error', reject).on('end', () => {
        const body = JSON.parse(text) as { readonly error?: string }
        if (response.statusCode === 200) resolve(body)
        else reject(failure('invalid_request', { problem: body.error ?? text }))
      })
    })
    asked.on('error', reject).end()
  })

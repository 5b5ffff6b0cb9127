/** A server with a model that does everything, and everything that it tells to anybody. */

import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inspect } from 'node:util'
import type { Kernel } from '@sallyport/core'
import { recordingLogger } from '@sallyport/testing'
import { handler, KeyStore } from '../../src/index.js'
import { testKernel } from '../support/kernel.js'
import { callerPolicy, policyConfig } from './policies.js'
import { harmless } from './secret.js'
import { noting, speakers } from './speakers.js'
import type { Scene, Script } from './speakers.js'

export interface Answer {
  readonly status: number
  readonly headers: string
  readonly body: string
  readonly scene: Scene
}

export interface StageRequest {
  readonly method: string
  readonly path: string
  readonly body?: object
  /** Whether the body is sent as a form. */
  readonly isForm?: boolean | undefined
  /** Of the key that it is sent with. */
  readonly policy?: string | undefined
  readonly script?: Script | undefined
  readonly headers?: Record<string, string>
}

export interface Stage {
  readonly kernel: Kernel
  readonly send: (request: StageRequest) => Promise<Answer>
  /** What was logged since the last time, but for debugging, which may quote what it is about. */
  readonly logged: () => string
  /** Names of headers that were read, and of those that were sent. */
  readonly read: ReadonlySet<string>
  readonly sent: ReadonlySet<string>
  readonly stop: () => Promise<void>
}

export const openStage = async (detectors: Readonly<Record<string, object>>): Promise<Stage> => {
  const scenes = new Map<string, Scene>()
  const { logger, lines } = recordingLogger()
  const features = { image: true, tools: true, reasoning: true }
  const services = { ...speakers(scenes), ...noting(detectors, scenes) }
  const kernel = await testKernel([{ id: harmless, features, services }], {
    policies: policyConfig,
    callerPolicy,
    logger,
  })
  const home = mkdtempSync(join(tmpdir(), 'sallyport-walk-'))
  const keys = new KeyStore(home)
  const keyOf = new Map(
    [undefined, ...kernel.policies].map((policy) => [
      policy,
      keys.create({ name: policy ?? 'none', ...(policy === undefined ? {} : { policy }) }).key,
    ]),
  )
  const handle = handler(kernel, { keys, logger })
  const read = new Set<string>()
  const sent = new Set<string>()
  const server = createServer((request, response) => {
    Object.defineProperty(request, 'headers', { value: watched(request.headers, read) })
    handle(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  let heard = 0
  return {
    kernel,
    read,
    sent,
    send: async ({ method, path, body, isForm, policy, script, headers = {} }) => {
      // errors quote it: it must not hold a part of the secret by chance
      const id = randomUUID().replaceAll('1', '0')
      const scene: Scene = { script, shown: [], inspected: [], called: [] }
      scenes.set(id, scene)
      const response = await fetch(url + path, {
        method,
        headers: {
          authorization: `Bearer ${keyOf.get(policy) ?? ''}`,
          ...(isForm ? {} : { 'content-type': 'application/json' }),
          'x-request-id': id,
          ...headers,
        },
        ...(body === undefined ? {} : { body: isForm ? formOf(body) : JSON.stringify(body) }),
      })
      const text = await response.text()
      for (const name of response.headers.keys()) sent.add(name)
      scenes.delete(id)
      return { status: response.status, headers: inspect([...response.headers]), body: text, scene }
    },
    logged: () => {
      const fresh = lines.slice(heard).filter(({ level }) => level !== 'debug')
      heard = lines.length
      return inspect(fresh, { depth: 12, maxStringLength: Infinity, maxArrayLength: Infinity })
    },
    stop: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      rmSync(home, { recursive: true, force: true })
    },
  }
}

/** A file says something by its name. */
const formOf = (body: object): FormData => {
  const form = new FormData()
  for (const [name, value] of Object.entries(body))
    if (name === 'file') form.append(name, new File([harmless], String(value)))
    else
      for (const one of [value].flat()) form.append(name, typeof one === 'object' ? JSON.stringify(one) : String(one))
  return form
}

/** Notes which of them are asked for. */
const watched = (headers: IncomingHttpHeaders, read: Set<string>): IncomingHttpHeaders =>
  new Proxy(headers, {
    get: (target, name) => {
      if (typeof name === 'string') read.add(name)
      return Reflect.get(target, name) as unknown
    },
  })

/** The server that is measured: one that is running, or one that is started for it. */

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startServer } from '../support/server.js'

export interface Target {
  readonly model: string
  /** @throws with the body of an answer that is not 200 */
  readonly post: <Answer>(path: string, body: object) => Promise<Answer>
  readonly stop: () => Promise<void>
}

interface TargetOptions {
  /** Of a running server; one is started when absent. */
  readonly url?: string
  readonly key?: string
  readonly model: string
}

const usage = `
  --url URL      a running server (default: one is started on a free port)
  --key KEY      its key (default: $SALLYPORT_API_KEY)
  --model MODEL  the model to measure`

/**
 * The main part of a program that measures: reads its arguments, and stops what it has started.
 * @param program its file in this folder, without the ending
 * @param model the one that is measured unless the arguments name another
 */
export const measureTarget = async (
  program: string,
  model: string,
  measure: (target: Target) => Promise<void>,
): Promise<void> => {
  const options = targetOptions(process.argv.slice(2), model)
  if (!options) {
    console.log(`node test/dist/quality/${program}.js [options]\n${usage}`)
    return
  }
  const target = await connect(options)
  try {
    await measure(target)
  } finally {
    await target.stop()
  }
}

/** @throws TypeError with what is wrong */
const targetOptions = (argv: readonly string[], model: string): TargetOptions | undefined => {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      url: { type: 'string' },
      key: { type: 'string' },
      model: { type: 'string', default: model },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) return undefined
  const key = values.key ?? process.env['SALLYPORT_API_KEY']
  return { model: values.model, ...(values.url && { url: values.url }), ...(key && { key }) }
}

const connect = async ({ url, key, model }: TargetOptions): Promise<Target> => {
  if (url !== undefined) return { model, post: poster(url, key), stop: () => Promise.resolve() }
  const folder = await mkdtemp(join(tmpdir(), 'sallyport-quality-'))
  const config = join(folder, 'sallyport.json')
  const served = { plugins: ['@sallyport/koa', '@sallyport/onnx'], models: { [model]: { backend: 'onnx' } } }
  await writeFile(config, JSON.stringify(served))
  const server = await startServer(config)
  return {
    model,
    post: poster(server.url, server.key),
    stop: async () => {
      await server.stop()
      await rm(folder, { recursive: true })
    },
  }
}

const poster =
  (url: string, key: string | undefined) =>
  async <Answer>(path: string, body: object): Promise<Answer> => {
    const response = await fetch(new URL(path, url), {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(key && { authorization: `Bearer ${key}` }) },
      body: JSON.stringify(body),
    })
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`)
    return (await response.json()) as Answer
  }

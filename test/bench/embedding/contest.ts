/** Our server and a bare session, each in a process of its own, with the same file and threads. */

import { readFileSync } from 'node:fs'
import { readDefinition, TextTokenizer } from '@sallyport/onnx/tokenizer'
import { startWorker } from '../adapter/worker.js'
import type { Worker } from '../adapter/worker.js'
import { filesOf } from '../models.js'
import { freePort } from '../servers/launch.js'
import { EmbeddingClient } from './client.js'
import type { RawQuestion } from './raw-session.js'
import type { ServerQuestion } from './server.js'
import type { Encode } from './texts.js'

export interface Contest {
  readonly url: string
  readonly client: EmbeddingClient
  readonly server: Worker<ServerQuestion, number[]>
  readonly raw: Worker<RawQuestion, number[]>
  /** The model's own tokens of a text. */
  readonly encode: Encode
}

/** Nobody gives up. */
const asking = { tenant: '', signal: new AbortController().signal }

/** More than any text here has. */
const limit = 512

/** Runs the work while both run. */
export const withContest = async <Result>(
  source: string,
  threads: number,
  work: (contest: Contest) => Promise<Result>,
): Promise<Result> => {
  const files = filesOf(source)
  const tokenizer = readTokenizer(source, files['tokenizer.json'])
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const env = { BENCH_SOURCE: source, BENCH_MODEL: files.model, BENCH_THREADS: String(threads) }
  const raw = await startWorker<RawQuestion, number[]>(new URL('raw-session.js', import.meta.url), env)
  const serverEnv = { ...env, BENCH_PORT: String(port) }
  const starting = startWorker<ServerQuestion, number[]>(new URL('server.js', import.meta.url), serverEnv)
  const client = new EmbeddingClient(url)
  try {
    const server = await starting
    const encode: Encode = async (text) => (await tokenizer.encode(text, {}, asking)).ids
    try {
      return await work({ url, client, server, raw, encode })
    } finally {
      await server.stop()
    }
  } finally {
    client.close()
    await raw.stop()
  }
}

const readTokenizer = (model: string, path: string | undefined): TextTokenizer => {
  if (path === undefined) throw new Error(`${model} has no tokenizer.json`)
  return new TextTokenizer(readDefinition(model, JSON.parse(readFileSync(path, 'utf8'))), limit)
}

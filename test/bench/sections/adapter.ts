/** What HTTP adds to a call of the kernel, with a backend that costs next to nothing. */

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { LoadQuestion } from '../adapter/load.js'
import { key } from '../adapter/request.js'
import type { KernelQuestion } from '../adapter/server.js'
import { startWorker } from '../adapter/worker.js'
import type { Worker } from '../adapter/worker.js'
import { figuresOf } from '../figures.js'
import type { Figure } from '../figures.js'
import { freePort } from '../servers/launch.js'
import { differences, quantile } from '../statistics.js'
import { alternate } from './alternate.js'
import type { Bench, Section } from './section.js'

const perSecond = 50
const connections = [32, 64]
const percentiles = [50, 95, 99]

const figure = figuresOf('adapter')

interface Workers {
  readonly urls: { readonly http: string; readonly 'bare-http': string }
  readonly kernel: Worker<KernelQuestion, number[]>
  readonly load: Worker<LoadQuestion, number[]>
}

export const adapter: Section = async (bench) => {
  const home = await mkdtemp(join(tmpdir(), 'sallyport-bench-'))
  const port = await freePort()
  const kernel = await startWorker<KernelQuestion, number[]>(new URL('../adapter/server.js', import.meta.url), {
    BENCH_PORT: String(port),
    SALLYPORT_HOME: home,
    SALLYPORT_API_KEY: key,
  })
  const load = await startWorker<LoadQuestion, number[]>(new URL('../adapter/load.js', import.meta.url))
  try {
    const [barePort = NaN] = await kernel.ask('bare-port')
    const urls = { http: `http://127.0.0.1:${port}`, 'bare-http': `http://127.0.0.1:${barePort}` }
    const workers = { urls, kernel, load }
    await warmUp(workers)
    return [...(await overhead(bench, workers)), ...(await throughput(bench, workers))]
  } finally {
    await Promise.all([kernel.stop(), load.stop()])
    await rm(home, { recursive: true })
  }
}

/** Until the compiler has seen the code. */
const warmUp = async ({ urls, kernel, load }: Workers): Promise<void> => {
  for (const url of Object.values(urls)) await load.ask({ kind: 'closed', url, connections: 32, seconds: 3 })
  await kernel.ask({ perSecond: 500, seconds: 1 })
}

const overhead = async ({ options, say }: Bench, { urls, kernel, load }: Workers): Promise<Figure[]> => {
  const seconds = options.seconds
  const ask = {
    http: () => load.ask({ kind: 'open', url: urls.http, perSecond, seconds }),
    'bare-http': () => load.ask({ kind: 'open', url: urls['bare-http'], perSecond, seconds }),
    kernel: () => kernel.ask({ perSecond, seconds }),
  }
  const measured = await alternate(['http', 'kernel', 'bare-http'] as const, options.rounds, async (subject, round) => {
    const latencies = await ask[subject]()
    say(`adapter, ${perSecond}/s, round ${round + 1}: ${subject} p95 ${quantile(latencies, 0.95).toFixed(2)} ms`)
    return latencies
  })
  return percentiles.flatMap((percentile) => {
    const measure = `latency-p${percentile}`
    const results = measured.map(({ subject, values }) => ({
      subject,
      rounds: values.map((latencies) => quantile(latencies, percentile / 100)),
    }))
    const [http, direct] = results
    const { rounds, interval } = differences(http?.rounds ?? [], direct?.rounds ?? [])
    return [
      ...results.map((result) => figure(measure, result.subject, 'ms', result.rounds, { note: `${perSecond}/s` })),
      figure(measure, 'difference', 'ms', rounds, { interval }),
    ]
  })
}

const throughput = async ({ options, say }: Bench, { urls, load }: Workers): Promise<Figure[]> => {
  const loads = connections.flatMap((count) => [
    { subject: 'http' as const, count },
    { subject: 'bare-http' as const, count },
  ])
  const measured = await alternate(loads, options.rounds, async ({ subject, count }, round) => {
    const question = { kind: 'closed', url: urls[subject], connections: count, seconds: options.seconds } as const
    const [rate = NaN] = await load.ask(question)
    say(`adapter, ${count} connections, round ${round + 1}: ${subject} ${rate.toFixed(0)} requests/s`)
    return rate
  })
  return measured.map(({ subject: { subject, count }, values }) =>
    figure(`throughput-${count}`, subject, 'requests/s', values),
  )
}

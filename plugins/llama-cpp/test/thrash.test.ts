import { readdirSync, readFileSync } from 'node:fs'
import { totalmem } from 'node:os'
import { chat } from '@sallyport/core'
import type { Kernel } from '@sallyport/core'
import { createKernel } from '@sallyport/kernel'
import { useTemporaryDirectory } from '@sallyport/stand-ins/temporary'
import { expect } from 'chai'
import { parrot } from './support/parrot.js'

/** Seconds for which clients ask; `SALLYPORT_THRASH_SECONDS=600` is the long run. */
const seconds = Number(process.env['SALLYPORT_THRASH_SECONDS'] ?? 20)
const [count, clients, fitting] = [20, 8, 3]
/** More than a process of such a small model takes, as the kernel counts it, and less than two. */
const bytesOfOne = 165 * 2 ** 20

const names = Array.from({ length: count }, (_, at) => `model-${at}`)

/** The resident bytes of the processes of models below this one, without those that render templates. */
const residentBytes = (): number => {
  let bytes = 0
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name)))
    try {
      const status = readFileSync(`/proc/${pid}/status`, 'utf8')
      const isChild = new RegExp(`^PPid:\\s+${process.pid}$`, 'm').test(status)
      const isModel = readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('sallyport: model-')
      if (isChild && isModel) bytes += Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0) * 1024
    } catch {
      // the process has ended
    }
  return bytes
}

describe('twenty models in memory for three', function () {
  this.timeout((seconds + 240) * 1000)
  const directory = useTemporaryDirectory()
  let kernel: Kernel
  before(async () => {
    const models = Object.fromEntries(
      names.map((name) => {
        const source = directory.write(`${name}.gguf`, parrot([{ chunks: [`I am ${name}`] }]))
        return [name, { backend: 'llama-cpp', source, options: { contextLength: 64, parallel: 1 } }]
      }),
    )
    const config = {
      plugins: ['@sallyport/llama-cpp'],
      load: 'demand' as const,
      models,
      limits: { deadline: 120, memory: (fitting + 0.5) * (bytesOfOne / totalmem()) },
      log: { level: 'silent' as const },
    }
    kernel = await createKernel(config, { baseDirectory: directory.path })
  })
  after(() => kernel.stop())

  it('all answer, within their deadlines and the memory, whoever asks for which', async () => {
    const end = Date.now() + seconds * 1000
    let [answers, longest, mostLoaded, mostBytes] = [0, 0, 0, 0]
    let state = 7
    const random = (below: number) => (state = (state * 48_271) % 2_147_483_647) % below
    const client = async (tenant: string) => {
      while (Date.now() < end) {
        const name = names[random(count)] ?? ''
        const begun = performance.now()
        const { choices } = await kernel
          .get(chat, name)
          .generate({ messages: [{ role: 'user', content: 'who' }] }, { tenant })
        expect(choices[0]?.text).to.equal(`I am ${name}`)
        longest = Math.max(longest, performance.now() - begun)
        answers += 1
      }
    }
    const watch = setInterval(() => {
      mostLoaded = Math.max(mostLoaded, names.filter((name) => kernel.modelState(name) === 'ready').length)
      mostBytes = Math.max(mostBytes, residentBytes())
    }, 250)
    try {
      await Promise.all(Array.from({ length: clients }, (_, at) => client(`tenant ${at}`)))
    } finally {
      clearInterval(watch)
    }
    process.stdout.write(
      `      ${answers} answers, the slowest in ${(longest / 1000).toFixed(1)} s, ${mostLoaded} models at once, ${(mostBytes / 2 ** 20).toFixed(0)} MiB\n`,
    )
    expect(answers).to.be.at.least(clients)
    expect(longest).to.be.at.most(60_000)
    expect(mostLoaded).to.be.within(2, fitting)
    expect(mostBytes).to.be.at.most((fitting + 0.5) * bytesOfOne)
  })
})

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Contender, ServerSettings } from './contender.js'
import { freePort, launch } from './launch.js'

export const sallyportCommand = join(
  dirname(createRequire(import.meta.url).resolve('@sallyport/cli/package.json')),
  'bin/sallyport.mjs',
)

/** Our server as a user starts it, with a configuration for one model. */
export const sallyport: Contender = {
  name: 'sallyport',
  start: async (settings) => {
    const directory = await mkdtemp(join(tmpdir(), 'sallyport-bench-'))
    const config = join(directory, 'sallyport.json')
    const port = await freePort()
    await writeFile(config, JSON.stringify(configuration(settings, port)))
    const server = await launch({
      command: process.execPath,
      args: [sallyportCommand, 'serve', '--config', config],
      url: `http://127.0.0.1:${port}`,
      readyPath: '/readyz',
    })
    return {
      ...server,
      stop: async () => {
        await server.stop()
        await rm(directory, { recursive: true })
      },
    }
  },
}

/** Without keys: llama-server asks for none either. The adapter's own cost is measured with them. */
const configuration = ({ model, threads, parallel, contextLength }: ServerSettings, port: number) => ({
  plugins: ['@sallyport/koa', '@sallyport/llama-cpp'],
  server: { host: '127.0.0.1', port, auth: false },
  models: { [model.id]: { backend: 'llama-cpp', source: model.source, options: { threads, parallel, contextLength } } },
  log: { level: 'warn', format: 'json' },
})

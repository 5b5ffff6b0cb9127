import { expect } from 'chai'
import { loadConfig } from '@sallyport/config'
import { failure, silentLogger } from '@sallyport/core'
import { useTemporaryDirectory } from '@sallyport/stand-ins/temporary'
import { serveOverrides } from '../src/overrides.js'
import type { ServeOptions } from '../src/overrides.js'
import { shutDown, abortedStartCode } from '../src/serve.js'

describe('serve', () => {
  const directory = useTemporaryDirectory()
  const file = directory.write('config.yaml', 'plugins: []\nserver: {host: localhost, port: 1}\n')
  const load = async (options: ServeOptions, environment: Record<string, string> = {}) =>
    loadConfig(file, { overrides: serveOverrides(options, environment), environment })
  const server = async (...given: Parameters<typeof load>) => (await load(...given)).sections['server']

  it('takes host and port from the environment, whether the file refers to it or not', async () => {
    const environment = { SALLYPORT_HOST: '0.0.0.0', PORT: '2' }
    expect(await server({}, environment)).to.deep.equal({ host: '0.0.0.0', port: 2 })
    expect(await server({}, { SALLYPORT_HOST: '', PORT: '' })).to.deep.equal({ host: 'localhost', port: 1 })
  })

  it('takes them from the command line before that', async () => {
    const environment = { SALLYPORT_HOST: '0.0.0.0', PORT: '2' }
    expect(await server({ set: ['server.host=a', 'server.port=3'] }, environment)).to.deep.equal({ host: 'a', port: 3 })
    expect(await server({ host: '::', port: '4' }, environment)).to.deep.equal({ host: '::', port: 4 })
  })

  it('loads all models at the start with --eager', async () => {
    const lazy = { set: ['load=demand'] }
    expect([(await load(lazy)).load, (await load({ ...lazy, eager: true })).load]).to.deep.equal(['demand', 'start'])
  })

  it('names what was given where it is wrong', async () => {
    const wrong = (...given: Parameters<typeof load>) => directory.failureOf(() => load(...given))
    const problem = '"x" is not a port: give a number from 0 to 65535'
    expect(await wrong({ port: 'x' })).to.equal(`config_invalid --port: ${problem}`)
    expect(await wrong({}, { PORT: 'x' })).to.equal(`config_invalid PORT: ${problem}`)
    expect((await load({ host: 'b' }, { PORT: '2' })).where(['server', 'host'])).to.equal('--host')
    expect((await load({ port: '2' }, { SALLYPORT_HOST: 'a' })).where(['server', 'host'])).to.equal('SALLYPORT_HOST')
    expect((await load({ port: '2' })).where(['server', 'port'])).to.equal('--port')
    expect((await load({ set: ['server.port=2'] })).where(['server', 'port'])).to.equal('--set server.port')
  })
})

describe('the end of a server', () => {
  const logged: string[] = []
  const logger = { ...silentLogger, error: (_: object, message: string) => void logged.push(message) }
  const fails = () => Promise.reject(new Error('broken'))
  const works = () => Promise.resolve()
  beforeEach(() => logged.splice(0))

  it('is a success when all goes well', async () => {
    expect(await shutDown({ drain: works, stop: works }, logger)).to.equal(0)
    expect(logged).to.deep.equal([])
  })

  it('is a failure that is logged when it cannot drain, and the rest is stopped', async () => {
    let stopped = false
    const stop = () => {
      stopped = true
      return fails()
    }
    expect(await shutDown({ drain: fails, stop }, logger)).to.equal(1)
    expect(stopped).to.equal(true)
    expect(logged).to.have.length(2)
  })

  it('while it starts is a success, unless what was started cannot be stopped', () => {
    const stopping = AbortSignal.abort()
    expect(abortedStartCode(stopping.reason, stopping, logger)).to.equal(0)
    expect(abortedStartCode(failure('not_ready', { state: 'draining' }), stopping, logger)).to.equal(0)
    expect(logged).to.deep.equal([])
    expect(abortedStartCode(new Error('broken'), stopping, logger)).to.equal(1)
    expect(logged).to.have.length(1)
  })
})

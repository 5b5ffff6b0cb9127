import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { compileOptions } from '@sallyport/kit/schemas'
import { examineServers } from '../src/examine.js'
import { optionsSchema } from '../src/options.js'
import { PinFiles } from '../src/pins/pin-files.js'
import { newHome, startKernel, stopAll, logBook } from './support/kernels.js'
import { startSite } from './support/site.js'

const optionsFrom = compileOptions(optionsSchema)
const program = fileURLToPath(new URL('support/program.js', import.meta.url))
const started = (fault: string, file = '') => ({ command: process.execPath, args: [program, fault, file] })

const examine = async (servers: object, home?: string) => {
  const options = optionsFrom({ servers })
  const context = { home: home ?? (await newHome()), baseDirectory: process.cwd(), logger: logBook().logger }
  return (await examineServers(options, context))?.entries
}

describe('tool servers that are examined', function () {
  this.timeout(60_000)
  afterEach(stopAll)

  it('say how many tools they have, and are left as they were', async () => {
    const [home, site] = [await newHome(), await startSite()]
    const entries = await examine({ here: started('none'), there: { url: site.url } }, home)
    const first = { head: 'pinned', items: ['none yet; all tools when the server first lists them'] }
    expect(entries).to.deep.equal([
      { text: `here: 1 tool of ${process.execPath}`, lists: [first] },
      { text: `there: 1 tool of http://${site.host}`, lists: [first] },
    ])
    expect(readdirSync(home)).to.deep.equal([])
    expect(await site.connections()).to.equal(0)
  })

  it('say which tools wait for approval, and which are allowed', async () => {
    const [home, file] = [await newHome(), join(await newHome(), 'changed')]
    const server = { ...started('changes', file), allowedTools: ['echo', 'gone'] }
    const { kernel, tools } = await startKernel({ servers: { odd: server } }, home)
    await tools.list({})
    await kernel.stop()
    writeFileSync(file, '')
    expect(await examine({ odd: server }, home)).to.deep.equal([
      {
        text: `odd: 2 tools of ${process.execPath}`,
        lists: [
          { head: 'waits for approval', items: ['echo (changed)', 'more (new)'] },
          { head: 'allowed and listed', items: ['echo'] },
          { head: 'allowed, but not listed', items: ['gone'] },
        ],
      },
    ])
  })

  it('say which tools lack the right hash in the configuration', async () => {
    const [entry] = (await examine({ odd: { ...started('none'), tools: { echo: '0'.repeat(64) } } })) ?? []
    expect(entry?.lists).to.deep.equal([{ head: 'lacks the right hash in tools', items: ['echo (changed)'] }])
  })

  it('say which file with approved tools is damaged', async () => {
    const home = await newHome()
    mkdirSync(join(home, 'mcp'))
    writeFileSync(join(home, 'mcp', 'odd.approved.json'), '{')
    const [entry] = (await examine({ odd: started('none') }, home)) ?? []
    expect(entry?.warning).to.match(/^[^ ]*odd\.approved\.json: is damaged: restore it\. Where it is deleted/)
  })

  it('are told apart from those with listed tools, which hold no approval', async () => {
    const home = await newHome()
    mkdirSync(join(home, 'mcp'))
    writeFileSync(join(home, 'mcp', 'odd.listed.json'), '{')
    expect(() => new PinFiles(home).listed('odd')).to.throw('is damaged: delete it and restart')
  })

  it('are not waited for longer than they may take', async () => {
    const site = await startSite({ initialize: () => undefined })
    const entries = await examine({
      silent: { ...started('silent'), connectTimeout: 1 },
      'list-hangs': { ...started('list hangs'), connectTimeout: 1 },
      exits: started('exits'),
      far: { url: site.url, connectTimeout: 1 },
      nowhere: { url: 'http://127.0.0.1:1/mcp' },
    })
    expect(entries?.map(({ text, warning }) => [text.split(':')[0], warning])).to.deep.equal(
      Object.entries({
        silent: 'did not answer within 1 seconds',
        'list-hangs': 'did not answer in time',
        exits: 'ended with the code 3',
        far: 'did not answer within 1 seconds',
        nowhere: 'cannot be reached',
      }).map(([label, problem]) => [label, `it ${problem}: its tools are missing until it answers`]),
    )
  })

  it('are none where none are configured', async () => {
    expect(await examine({})).to.equal(undefined)
  })
})

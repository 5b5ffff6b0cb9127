import { spawnSync } from 'node:child_process'
import { mkdir, readdir, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { content, filesBelow, leftovers, read } from '@sallyport/stand-ins/files'
import type { HubStandIn } from '@sallyport/stand-ins/hub'
import { useHub } from './support/hub-fixture.js'
import { fetchElsewhere } from './support/processes.js'
import { skipBecause } from './support/skip.js'

const weights = content(2_000_000)
const reference = 'hf:o/r/m.gguf'

describe('several processes and one cache', function () {
  this.timeout(30_000)
  const fixture = useHub()
  let hub: HubStandIn
  let home: string
  let options: object
  let environment: Record<string, string>

  beforeEach(() => {
    hub = fixture.hub
    hub.files.set('o/r/m.gguf', weights)
    home = fixture.home
    options = { home, baseDirectory: fixture.directory, reference }
    environment = { HF_ENDPOINT: hub.origin }
  })

  it('fetch a file once, and all of them have it', async () => {
    hub.faults.slow = 20
    const processes = [1, 2, 3].map(() => fetchElsewhere(options, environment))
    const answers = await Promise.all(processes.map(({ answer }) => answer))
    for (const { files, message } of answers) expect((await read(files?.model)).equals(weights), message).to.equal(true)
    expect(hub.downloads).to.have.length(1)
    expect(await leftovers(home)).to.have.length(1)
  })

  it('go on where one was killed', async () => {
    hub.faults.slow = 50
    const { child } = fetchElsewhere(options, environment)
    const arrived = async () => {
      const [part] = await readdir(join(home, 'incoming')).catch(() => [])
      return part === undefined ? 0 : (await stat(join(home, 'incoming', part))).size
    }
    while ((await arrived()) < 500_000) await new Promise((resolve) => setTimeout(resolve, 20))
    child.kill('SIGKILL')
    hub.faults.slow = 0
    hub.requests.length = 0
    expect((await read((await fixture.storeWith().resolve(reference)).files.model)).equals(weights)).to.equal(true)
    expect(Number(/\d+/.exec(hub.downloads[0]?.headers.range ?? '')?.[0])).to.be.greaterThan(400_000)
    expect(await leftovers(home)).to.have.length(1)
  })

  it('remove what dead ones have left long ago', async () => {
    const incoming = join(home, 'incoming')
    const old = new Date(Date.now() - 30 * 24 * 3_600_000)
    await mkdir(join(incoming, 'pypi-1.x.package/target'), { recursive: true })
    await writeFile(join(incoming, 'sha256-1.x.part'), 'x')
    await writeFile(join(incoming, 'sha256-2.x.part'), 'x')
    await utimes(join(incoming, 'pypi-1.x.package'), old, old)
    await utimes(join(incoming, 'sha256-1.x.part'), old, old)
    await fixture.storeWith().resolve(reference)
    expect(await readdir(incoming)).to.deep.equal(['sha256-2.x.part'])
  })

  it('leave a package alone that another one has fetched for long', async () => {
    const [incoming, locks] = [join(home, 'incoming'), join(home, 'locks')]
    const old = new Date(Date.now() - 2 * 3_600_000)
    for (const directory of [join(incoming, 'pypi-1.package'), locks]) await mkdir(directory, { recursive: true })
    await utimes(join(incoming, 'pypi-1.package'), old, old)
    await writeFile(join(locks, 'pypi-1'), '')
    await fixture.storeWith().resolve(reference)
    expect(await readdir(incoming)).to.deep.equal(['pypi-1.package'])
  })

  const small = [
    'unshare',
    '--user',
    '--map-root-user',
    '--mount',
    'sh',
    '-c',
    'mount -t tmpfs -o size=1m none "$1" && shift && exec "$@"',
    'sh',
  ]
  const mountable = () => spawnSync('unshare', [...small.slice(1), '/mnt', 'true']).status === 0

  it('say so when the disk is full', async function () {
    if (!mountable()) skipBecause(this, 'this machine lets nobody mount a file system (unshare --user --mount)')
    await mkdir(home)
    const { code, message } = await fetchElsewhere(options, environment, [...small, home]).answer
    expect(code).to.equal('insufficient_storage')
    expect(message).to.include('no space left').and.include('SALLYPORT_HOME')
  })

  it('say so when a file may not grow, and leave nothing', async () => {
    const limited = ['sh', '-c', 'trap "" XFSZ; ulimit -f 1000 && exec "$0" "$@"']
    const { code, message } = await fetchElsewhere(options, environment, limited).answer
    expect(code, message).to.equal('insufficient_storage')
    expect(await leftovers(home)).to.deep.equal([])
  })

  it('say so when the cache cannot be written to', async () => {
    await writeFile(home, 'a file in its place')
    const { code, message } = await fetchElsewhere(options, environment).answer
    expect(code).to.equal('insufficient_storage')
    expect(message).to.include(`cannot write to ${home}`)
  })

  it('pin side by side without losing a pin', async () => {
    const names = Array.from({ length: 4 }, (_, index) => `o/r${index}/m.gguf`)
    for (const name of names) hub.files.set(name, content(1000))
    const answers = names.map((name) => fetchElsewhere({ ...options, reference: `hf:${name}` }, environment).answer)
    await Promise.all(answers)
    const pins = await fixture.storeWith().planner.pins()
    expect(Object.keys(pins)).to.have.members(['o/r0@main', 'o/r1@main', 'o/r2@main', 'o/r3@main'])
    expect(await filesBelow(fixture.directory)).to.include('sallyport.lock')
  })
})

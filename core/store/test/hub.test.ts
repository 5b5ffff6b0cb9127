import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { errorOf } from '@sallyport/stand-ins/errors'
import { content, filesBelow, leftovers, read, sha256 } from '@sallyport/stand-ins/files'
import { HubStandIn } from '@sallyport/stand-ins/hub'
import { until } from '@sallyport/stand-ins/promises'
import { useHub } from './support/hub-fixture.js'

const weights = content(700_000)
const tokenizer = Buffer.from('{"model":"x"}')
const reference = 'hf:o/r/onnx/m.onnx'

describe('models of a hub', () => {
  const fixture = useHub()
  const { storeWith } = fixture
  let hub: HubStandIn
  let elsewhere: HubStandIn
  let directory: string
  let home: string

  beforeEach(async () => {
    ;({ hub, directory, home } = fixture)
    elsewhere = await new HubStandIn().start()
    for (const each of [hub, elsewhere]) {
      each.files.set('o/r/onnx/m.onnx', weights).set('o/r/tokenizer.json', tokenizer)
      each.small.add('o/r/tokenizer.json')
    }
  })
  afterEach(() => elsewhere.stop())

  const expectFetched = async (store = storeWith()) => {
    expect((await read((await store.resolve(reference)).files.model)).equals(weights)).to.equal(true)
  }
  const messageOf = async (asked = reference, environment?: Record<string, string>) =>
    (await errorOf(storeWith(environment).resolve(asked))).message
  const lockFile = () => readFile(join(directory, 'sallyport.lock'), 'utf8')

  it('are fetched, checked and pinned', async () => {
    const { files } = await storeWith().resolve(reference)
    expect((await read(files.model)).equals(weights)).to.equal(true)
    expect(files.model).to.match(/\/onnx\/m\.onnx$/)
    expect(await lockFile())
      .to.include('o/r@main')
      .and.include(`commit: ${hub.commit}`)
      .and.include(sha256(weights))
    expect(hub.downloads[0]?.url, 'the commit, not the branch').to.include(`/resolve/${hub.commit}/`)
  })

  it('need no network once they are pinned and cached', async () => {
    await storeWith().resolve(reference)
    hub.requests.length = 0
    expect((await storeWith().resolve(reference)).files.model).to.be.a('string')
    expect((await storeWith({ HF_HUB_OFFLINE: '1' }).resolve(reference)).files.model).to.be.a('string')
    expect(hub.requests).to.be.empty
  })

  it('stay what they were when the branch moves on, until they are updated', async () => {
    const before = hub.commit
    await storeWith().resolve(reference)
    hub.commit = 'd'.repeat(40)
    const next = content(1000)
    hub.files.set('o/r/onnx/m.onnx', next)
    await expectFetched()
    expect(await lockFile()).to.include(before)
    expect((await read((await storeWith().resolve(reference, { update: true })).files.model)).equals(next)).to.equal(
      true,
    )
    expect(await lockFile())
      .to.include(hub.commit)
      .and.not.include(before)
  })

  it('may have the name of what every object has', async () => {
    hub.files.set('o/r/toString', tokenizer)
    await storeWith().resolve(reference)
    const { files } = await storeWith().resolve('hf:o/r/toString')
    expect((await read(files.model)).equals(tokenizer)).to.equal(true)
    expect(await lockFile())
      .to.include('onnx/m.onnx:')
      .and.include('toString:')
  })

  it('are refused when they are no longer what was pinned', async () => {
    await storeWith().resolve(reference)
    hub.files.set('o/r/onnx/m.onnx', content(700_000))
    const error = await errorOf(storeWith({}, { home: join(directory, 'other') }).resolve(reference))
    expect(error.message).to.match(/has another file: it announces [0-9a-f]{64}, not [0-9a-f]{64}/)
    expect(await leftovers(join(directory, 'other'))).to.deep.equal([])
  })

  it('go by the hash of git where the hub does, and by SHA-256 from then on', async () => {
    const { files } = await storeWith().resolve('hf:o/r/tokenizer.json')
    expect((await read(files.model)).equals(tokenizer)).to.equal(true)
    expect(await lockFile()).to.include(sha256(tokenizer))
    hub.faults.content = Buffer.from('{"model":"y"}')
    const error = await errorOf(
      storeWith({}, { home: join(directory, 'x'), lockFile: join(directory, 'x.lock') }).resolve(
        'hf:o/r/tokenizer.json',
      ),
    )
    expect(error.message).to.include("expected git's sha1")
  })

  describe('through a bad connection', () => {
    it('are continued where it was cut', async () => {
      hub.faults = { cutAfter: 200_000, cuts: 3 }
      await expectFetched()
      // How much of what was sent before a cut arrives is up to the system.
      const starts = hub.downloads.map(({ headers }) => Number(/\d+/.exec(headers.range ?? '0')?.[0]))
      expect(starts).to.have.length.within(4, 5)
      expect(starts, 'each further on').to.deep.equal([...new Set(starts)].sort((a, b) => a - b))
      expect(starts[1]).to.be.greaterThan(100_000)
    })

    it('start again when the server ignores ranges', async () => {
      hub.faults = { cutAfter: 200_000, cuts: 1, ignoreRange: true }
      await expectFetched()
    })

    it('are given up after some attempts without progress, and go on from there the next time', async () => {
      hub.faults = { status: 503 }
      expect(await messageOf()).to.include('status 503')

      const controller = new AbortController()
      hub.requests.length = 0
      hub.faults = { cutAfter: 200_000, cuts: 1 }
      const stop = storeWith({}, { retryDelay: 60_000 }).resolve(reference, { signal: controller.signal })
      await until(() => hub.downloads.length === 1 && hub.faults.cuts === 0)
      await new Promise((resolve) => setTimeout(resolve, 100))
      controller.abort(new Error('enough'))
      await stop.catch(() => undefined)
      expect((await filesBelow(home)).filter((path) => path.endsWith('.part'))).to.have.length(1)

      hub.requests.length = 0
      await storeWith().resolve(reference)
      expect(hub.downloads).to.have.length(1)
      expect(hub.downloads[0]?.headers.range).to.match(/^bytes=[12]\d{5}-$/)
      expect((await filesBelow(home)).filter((path) => path.endsWith('.part'))).to.be.empty
    })

    it('are fetched anew when what an earlier download left is wrong, under its former name, too', async () => {
      await storeWith().resolve('hf:o/r/tokenizer.json')
      await writeFile(join(home, 'incoming', `sha256-${sha256(weights)}.8c3f-dead.part`), content(500_000))
      await expectFetched()
      expect(hub.downloads.map(({ headers }) => headers.range).slice(1)).to.deep.equal(['bytes=500000-', undefined])
    })

    it('are not continued beyond their end', async () => {
      await storeWith().resolve('hf:o/r/tokenizer.json')
      await writeFile(join(home, 'incoming', `sha256-${sha256(weights)}.part`), content(900_000))
      await expectFetched()
    })
  })

  describe('and the token', () => {
    it('goes to the hub and to no other origin', async () => {
      hub.faults = { renamed: true, contentOrigin: elsewhere.origin }
      await storeWith({ HF_TOKEN: 'hf_secret' }).resolve(reference)
      expect(hub.requests.every(({ headers }) => headers.authorization === 'Bearer hf_secret')).to.equal(true)
      expect(elsewhere.requests).to.have.length(1)
      expect(JSON.stringify(elsewhere.requests)).not.to.include('hf_secret')
    })

    it('is not believed to be what another origin says it announces', async () => {
      hub.faults = { contentOrigin: elsewhere.origin }
      elsewhere.faults = { digest: 'e'.repeat(64) }
      await expectFetched()
    })

    it('is not undone by what another origin announces of a file that is known', async () => {
      await storeWith().resolve(reference)
      hub.faults = { noDigest: true, contentOrigin: elsewhere.origin }
      elsewhere.faults = { digest: 'e'.repeat(64) }
      const { files } = await storeWith({}, { home: join(directory, 'other') }).resolve(reference)
      expect((await read(files.model)).equals(weights)).to.equal(true)
    })

    it('is not quoted where it does not open the repository', async () => {
      hub.faults = { status: 403, errorCode: 'GatedRepo' }
      const message = await messageOf(reference, { HF_TOKEN: 'hf_secret' })
      expect(message).to.include('HF_TOKEN is set, but does not open it').and.not.include('hf_secret')
    })
  })

  const refusals: [what: string, faults: HubStandIn['faults'], message: RegExp][] = [
    [
      'the content is not what was announced',
      { content: content(700_000) },
      /wrong checksum: expected sha256 \w{64}, got/,
    ],
    ['more comes than was announced', { content: content(900_000) }, /sends more than the 700000 bytes/],
    ['the hub fails again and again', { status: 503 }, /status 503/],
    ['there is no such repository', { status: 404, errorCode: 'RepoNotFound' }, /no such repository/],
    ['there is no such revision', { status: 404, errorCode: 'RevisionNotFound' }, /has no such revision/],
    [
      'the authors want to be asked',
      { status: 401, errorCode: 'GatedRepo' },
      /accept their terms at http.*\/o\/r, and set HF_TOKEN/,
    ],
    ['the hub shows it to nobody', { status: 401 }, /private, gated or does not exist/],
    ['the hub announces nothing to check it by', { noDigest: true }, /announces no digest/],
    ['the hub announces rubbish to check it by', { digest: '../../../../etc/passwd' }, /announces no digest/],
    ['it redirects to no https', { contentOrigin: 'ftp://127.0.0.1' }, /redirects to an address that is not https/],
  ]
  for (const [what, faults, message] of refusals)
    it(`are refused where ${what}, and nothing is left`, async () => {
      hub.faults = faults
      const error = await errorOf(storeWith().resolve(reference))
      expect(error.code).to.equal('model_files')
      expect(error.message).to.match(message)
      expect(await leftovers(home)).to.deep.equal([])
      expect(await lockFile().catch(() => 'none')).to.equal('none')
    })

  it('are refused where redirects have no end, or the hub names no commit', async () => {
    hub.faults = { contentOrigin: hub.origin }
    expect(await messageOf()).to.include('redirects without end')
    hub.faults = {}
    hub.commit = '../../x'
    expect(await messageOf()).to.include('does not say which commit')
  })

  it('are looked for in vain with a hint at what was meant', async () => {
    expect(await messageOf('hf:o/r/onnx/n.onnx')).to.match(/has no file .*onnx\/n\.onnx.*did you mean "onnx\/m\.onnx"/)
    expect(await messageOf('hf:o/r')).to.match(/names a repository but no file.*"tokenizer.json"/)
  })

  it('are not looked for offline', async () => {
    const message = await messageOf(reference, { SALLYPORT_OFFLINE: '1' })
    expect(message).to.include('the store is offline').and.include(`sallyport models pull ${reference}`)
    expect(hub.requests).to.be.empty
  })

  it('cannot be had from a hub that is not there', async () => {
    await hub.stop()
    expect(await messageOf()).to.match(
      /cannot be reached \(ECONNREFUSED\): check the network, HTTPS_PROXY and HF_ENDPOINT/,
    )
    fixture.hub = await new HubStandIn().start()
  })

  it('need an address of a hub that is one', async () => {
    for (const endpoint of ['file:///etc', 'nonsense', 'https://user:secret@host'])
      expect((await errorOf(storeWith({ HF_ENDPOINT: endpoint }).resolve(reference))).code).to.equal('config_invalid')
  })

  it('use the proxy of the environment', async () => {
    const before = { ...process.env }
    Object.assign(process.env, { http_proxy: 'http://127.0.0.1:9', no_proxy: '' })
    try {
      expect(await messageOf()).to.match(/cannot be reached \(ECONNREFUSED\)/)
      expect(hub.requests).to.be.empty
      process.env.no_proxy = '127.0.0.1'
      await expectFetched()
    } finally {
      for (const name of ['http_proxy', 'no_proxy']) {
        if (before[name] === undefined) Reflect.deleteProperty(process.env, name)
        else process.env[name] = before[name]
      }
    }
  })
})

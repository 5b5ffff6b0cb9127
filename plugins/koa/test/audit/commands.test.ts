import { appendFileSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { silentLogger } from '@sallyport/core'
import { failureOf } from '@sallyport/stand-ins/errors'
import { expect } from 'chai'
import { AuditLog } from '../../src/audit/audit-log.js'
import { auditCommand } from '../../src/audit/commands.js'
import { endOfLog, followLines } from '../../src/audit/select.js'
import { signerOf } from '../../src/audit/signature.js'
import { KeyStore } from '../../src/index.js'
import { linesIn, optionsOf, useDirectory } from './support.js'

const minute = 60_000

describe('sallyport audit', () => {
  const directory = useDirectory()
  const path = () => join(directory.path, 'audit')
  const home = () => join(directory.path, 'home')
  let now = 0
  const open = () =>
    AuditLog.open(optionsOf({ path: path(), bytes: 2000 }), signerOf(new KeyStore(home())), silentLogger, {
      now: () => now,
      monotonic: () => 0,
    })

  beforeEach(async () => {
    now = Date.now() - 90 * minute
    mkdirSync(home())
    const log = open()
    for (const [at, name] of ['ann', 'bob', 'ann', 'bob'].entries()) {
      const who = { key: `id-of-${name}`, name }
      const common = { request: `r${at}`, who, address: '127.0.0.1', method: 'POST', route: '/v1/chat/completions' }
      await log.append({ kind: 'admitted', ...common, model: 'assistant' })
      now += 20 * minute
      const verdicts = at
        ? [{ check: 'pii', stage: 'input', verdict: 'replace', mode: 'enforce', findings: { PERSON: 2 } }]
        : []
      await log.append({
        ...{ kind: 'ended', ...common, model: 'assistant', status: 200, ms: 12.5, done: at ? 'replaced' : 'passed' },
        ...{ verdicts, tokens: { in: 5, out: 3 } },
      })
    }
    await log.close()
  })

  const run = (name: string, options: object = {}, ...args: readonly string[]) =>
    runIn(directory.path, name, options, ...args)

  const runIn = async (
    baseDirectory: string,
    name: string,
    options: object,
    ...args: readonly string[]
  ): Promise<string> => {
    const printed: string[] = []
    const command = auditCommand.commands?.find((each) => each.name === name)
    await command?.run?.(
      { arguments: args, options: { ...options } },
      {
        options: { audit: { path: './audit' } },
        baseDirectory,
        home: home(),
        logger: silentLogger,
        print: (line) => printed.push(line),
      },
    )
    return printed.join('\n')
  }

  const head = async () => /Signed up to line \d+: (\S+)/.exec(await run('verify'))?.[1] ?? ''

  it('verifies the log of the configuration, and says how far it is signed', async () => {
    const { length } = linesIn(path())
    expect(await run('verify')).to.match(
      new RegExp(`^Intact: lines 1 to ${length}, in 2 files\\.\\nSigned up to line ${length}: ${length}:[\\da-f]{64}$`),
    )
    expect(await run('verify', { head: await head() })).to.contain('The head that was given is in it.')
  })

  it('verifies a copy with the public key alone, where the secret is not', async () => {
    const key = await run('key')
    expect(key).to.match(/^ed25519:[\da-f]{64}$/)
    const elsewhere = { key }
    expect(await run('verify', elsewhere, path())).to.contain('Intact')
    expect(await failureOf(run('verify', { ...elsewhere, key: `ed25519:${'0'.repeat(64)}` }, path()))).to.contain(
      'audit-000001.jsonl:2: signed with another key',
    )
  })

  it('says of what a running server adds that it is not signed yet', async () => {
    const log = open()
    await log.append({ kind: 'admitted', request: 'x' })
    await log.append({ kind: 'admitted', request: 'y' })
    appendFileSync(join(path(), 'audit-000003.jsonl'), '{"seq":')
    const said = await run('verify')
    expect(said).to.contain('The 2 after it could have been written by anybody who can write the files.')
    expect(said).to.contain('7 bytes of a line that is not written to its end follow')
    await log.close()
  })

  const wrong = [
    ['verify', { head: '12' }, '--head: must be the number of a line, a colon and 64 hexadecimal digits'],
    ['verify', { key: 'x' }, '--key: must be ed25519: and 64 hexadecimal digits'],
    ['tail', { lines: 'many' }, '--lines: must be a whole number'],
    ['tail', { since: 'yesterday' }, '--since: must be a number and a unit: 12h, 30d, 8w, 1y'],
  ] as const
  for (const [name, options, problem] of wrong)
    it(`refuses ${name} ${JSON.stringify(options)}`, async () => {
      expect(await failureOf(run(name, options))).to.contain(problem)
    })

  for (const name of ['verify', 'tail'])
    it(`refuses ${name} where the directory of the configuration has no log`, async () => {
      expect(await failureOf(runIn('/nowhere', name, {}))).to.contain('/nowhere/audit: there is no audit log here')
    })

  const requestsOf = (printed: string) =>
    Array.from(printed.matchAll(/(\w+) +\w+ request=(r\d)/g), ([, kind, id]) => `${kind} ${id}`)

  it('shows lines as people read them', async () => {
    const [line] = (await run('tail', { lines: '1', check: 'pii' })).split('\n')
    expect(line).to.match(
      /^\S+Z ended {4}bob request=r3 127\.0\.0\.1 POST \/v1\/chat\/completions assistant 200 ms=12\.5 replaced input\.pii=replace\(PERSON 2\) tokens=5\+3$/,
    )
  })

  for (const [options, found] of [
    [{ key: 'ann' }, ['admitted r0', 'ended r0', 'admitted r2', 'ended r2']],
    [{ key: 'id-of-bob', lines: '1' }, ['ended r3']],
    [{ check: 'pii' }, ['ended r1', 'ended r2', 'ended r3']],
    [{ check: 'toxicity' }, []],
    [{ since: '35m' }, ['ended r2', 'admitted r3', 'ended r3']],
    [{ since: '35m', key: 'bob', lines: '5' }, ['admitted r3', 'ended r3']],
  ] as const)
    it(`finds lines by ${JSON.stringify(options)}`, async () => {
      expect(requestsOf(await run('tail', options))).to.deep.equal(found)
    })

  it('prints lines as they were written', async () => {
    const printed = await run('tail', { lines: '1000', json: true })
    const written = [1, 2].map((number) => readFileSync(join(path(), `audit-00000${number}.jsonl`), 'utf8')).join('')
    expect(`${printed}\n`).to.equal(written)
  })

  it('follows the log over its files', async () => {
    const end = endOfLog(path())
    const abort = new AbortController()
    const log = open()
    const found: string[] = []
    const following = (async () => {
      for await (const { line } of followLines(path(), { key: 'ann' }, end, abort.signal)) {
        found.push(String(line['request']))
        if (found.length === 30) abort.abort()
      }
    })()
    for (let at = 0; at < 30; at += 1)
      for (const name of ['ann', 'bob'])
        await log.append({ kind: 'admitted', request: `${name}-${at}`, who: { key: name } })
    await following
    await log.close()
    expect(found).to.deep.equal(Array.from({ length: 30 }, (_, at) => `ann-${at}`))
    expect(endOfLog(path()).number).to.be.above(end.number)
  })
})

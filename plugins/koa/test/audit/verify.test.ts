import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import { failureOf } from '@sallyport/stand-ins/errors'
import { expect } from 'chai'
import fc from 'fast-check'
import { beginning, chainedLine, digestOf } from '../../src/audit/lines.js'
import { logFile, logFiles } from '../../src/audit/log-files.js'
import { HeadSigner } from '../../src/audit/signature.js'
import { verifyLog } from '../../src/audit/verify.js'
import { event, linesIn, openLog, signer, useDirectory } from './support.js'

/** The lines of each file. */
type Files = string[][]

const forger = new HeadSigner(Buffer.alloc(32, 8))

/** Writes every line anew from the given one on, with digests that fit. */
const rechained = (files: Files, from: number, sign?: HeadSigner): void => {
  let last = beginning
  for (const lines of files)
    for (const [at, line] of lines.entries()) {
      if (last.seq + 1 >= from) {
        const { seq: _, prev: __, signature: ___, ...fields } = JSON.parse(line) as Record<string, unknown>
        const head = fields['kind'] === 'head'
        const chained = chainedLine(last, head && sign ? { ...fields, key: sign.publicKey } : fields)
        lines[at] = head ? (sign ?? forger).sign(chained) : chained
      }
      last = { seq: last.seq + 1, digest: digestOf(lines[at]!) }
    }
}

const changed = (files: Files, file: number, line: number): void => {
  files[file]![line] = files[file]![line]!.replace('request-', 'REQUEST-')
}

describe('the verification of an audit log', function () {
  this.timeout(300_000)
  const directory = useDirectory()
  let head: string

  beforeEach(async () => {
    const log = openLog({ path: directory.path, bytes: 1200 })
    for (let index = 0; index < 12; index += 1) await log.append(event(`request-${index}`))
    await log.close()
    const last = readFileSync(logFiles(directory.path).at(-1)!.path, 'utf8').trimEnd().split('\n').at(-1)!
    head = `${linesIn(directory.path).length}:${digestOf(last)}`
  })

  const readAll = (): Files =>
    logFiles(directory.path).map(({ path }) => readFileSync(path, 'utf8').split('\n').slice(0, -1))
  const writeAll = (files: Files) => {
    for (const [at, lines] of files.entries())
      writeFileSync(logFile(directory.path, at + 1).path, lines.map((line) => `${line}\n`).join(''))
  }
  const verdict = async (given?: string): Promise<string> => {
    const [seq, digest = ''] = (given ?? '').split(':')
    const options = given === undefined ? {} : { head: { seq: Number(seq), digest } }
    try {
      const { last, signed } = await verifyLog(directory.path, { publicKey: signer.publicKey, ...options })
      return `intact to ${last}, signed to ${signed?.seq}`
    } catch (error) {
      return (error as Error).message.replaceAll(`${directory.path}/`, '')
    }
  }

  it('finds nothing in a log that nobody has touched', async () => {
    const { length } = linesIn(directory.path)
    expect(readAll()).to.have.length.above(2)
    expect(await verdict()).to.equal(`intact to ${length}, signed to ${length}`)
    expect(await verdict(head)).to.equal(`intact to ${length}, signed to ${length}`)
  })

  const edits: Readonly<Record<string, readonly [edit: (files: Files) => unknown, found: string]>> = {
    'a changed line': [(files) => changed(files, 0, 3), 'audit-000001.jsonl:4: this line was changed'],
    'a changed line before a head': [
      (files) => changed(files, 0, files[0]!.length - 2),
      'audit-000001.jsonl:7: this line was changed',
    ],
    'a line that names another one before it': [
      (files) => (files[0]![3] = files[0]![3]!.replace(/"prev":"..../, '"prev":"0000')),
      'audit-000001.jsonl:4: this line was changed',
    ],
    'a line with another number': [
      (files) => (files[0]![3] = files[0]![3]!.replace('"seq":4', '"seq":5')),
      'audit-000001.jsonl:4: this is line 5, but 4 is missing before it',
    ],
    'a line that is no longer one': [
      (files) => (files[1]![1] = 'nothing'),
      'audit-000002.jsonl:2: this line was changed: it is not one of an audit log',
    ],
    'a changed head': [
      (files) => (files[0]![1] = files[0]![1]!.replace(/"up":[\d.]+/, '"up":1234')),
      'audit-000001.jsonl:2: the signature does not fit',
    ],
    'a head that is called something else': [
      (files) => (files.at(-1)![files.at(-1)!.length - 1] = files.at(-1)!.at(-1)!.replace('"head"', '"hear"')),
      'it is not one of an audit log',
    ],
    'a removed line': [
      (files) => files[0]!.splice(3, 1),
      'audit-000001.jsonl:4: this is line 5, but 4 is missing before it: lines were removed or moved',
    ],
    'removed first lines': [
      (files) => files[0]!.splice(0, 2),
      'audit-000001.jsonl:1: this is line 3, but 1 is missing before it',
    ],
    'a removed first line of a later file': [
      (files) => files[1]!.shift(),
      'audit-000002.jsonl:1: lines before this one were removed: a file begins with the line "rotated"',
    ],
    'removed last lines of an earlier file': [
      (files) => files[0]!.splice(-2),
      'audit-000002.jsonl:1: this is line 9, but 7 is missing before it',
    ],
    'exchanged lines': [
      (files) => files[0]!.splice(2, 2, files[0]![3]!, files[0]![2]!),
      'audit-000001.jsonl:3: this is line 4, but 3 is missing before it',
    ],
    'a repeated line': [
      (files) => files[0]!.splice(3, 0, files[0]![2]!),
      'audit-000001.jsonl:4: this is line 3, but 4 belongs here: it was moved or inserted',
    ],
    'an inserted line': [
      (files) =>
        files[0]!.splice(
          3,
          0,
          chainedLine({ seq: 3, digest: digestOf(files[0]![2]!) }, JSON.parse(files[0]![3]!) as object),
        ),
      'audit-000001.jsonl:5: this is line 4, but 5 belongs here',
    ],
    'a line that was changed and chained anew, up to the next head': [
      (files) => {
        const [kept] = [files[0]!.at(-1)!]
        changed(files, 0, 3)
        rechained(files, 4)
        files[0]![files[0]!.length - 1] = kept
      },
      'audit-000001.jsonl:7: this line was changed',
    ],
    'a log that was chained and signed anew by somebody else': [
      (files) => {
        changed(files, 0, 3)
        rechained(files, 4, forger)
      },
      `signed with another key, ${forger.publicKey}`,
    ],
    'heads of somebody else that name the key of the server': [
      (files) => {
        changed(files, 0, 3)
        rechained(files, 4)
      },
      'audit-000001.jsonl:8: the signature does not fit: this line, or lines after line 2, were written by somebody else',
    ],
  }
  for (const [what, [edit, found]] of Object.entries(edits))
    it(`finds ${what}, and where`, async () => {
      const files = readAll()
      edit(files)
      writeAll(files)
      expect(await verdict()).to.contain(found)
    })

  it('finds files that were removed', async () => {
    for (const [number, found] of [
      [2, 'audit-000003.jsonl:1: the file before this one is missing'],
      [1, 'files were removed: the log begins with file 1, and here is 2'],
    ] as const) {
      const { path } = logFile(directory.path, number)
      const content = readFileSync(path)
      rmSync(path)
      expect(await verdict(), `without file ${number}`).to.contain(found)
      writeFileSync(path, content)
    }
  })

  it('finds a line that was cut off in the middle of the log, and tells one at its end', async () => {
    const { path } = logFile(directory.path, 1)
    const content = readFileSync(path)
    writeFileSync(path, content.subarray(0, -9))
    expect(await verdict()).to.equal(
      'audit-000002.jsonl:1: the end of the line before this one is missing: it was cut off',
    )
    writeFileSync(path, content)
    const { path: last } = logFiles(directory.path).at(-1)!
    writeFileSync(last, Buffer.concat([readFileSync(last), Buffer.from('{"seq"')]))
    expect((await verifyLog(directory.path, { publicKey: signer.publicKey })).torn).to.equal(6)
  })

  it('finds a cut end by a head that was kept elsewhere, and by nothing else', async () => {
    const files = readAll()
    const { length } = linesIn(directory.path)
    const [signedBefore] = files
      .at(-2)!
      .slice(-1)
      .map((line) => (JSON.parse(line) as { seq: number }).seq)
    const cut = files.slice(0, -1)
    rmSync(logFiles(directory.path).at(-1)!.path)
    expect(await verdict()).to.equal(`intact to ${signedBefore}, signed to ${signedBefore}`)
    expect(await verdict(head)).to.equal(
      `${basename(logFile(directory.path, cut.length).path)}:${cut.at(-1)!.length}: the log ends here, with line ` +
        `${signedBefore}, but had line ${length}: its end was cut off`,
    )
  })

  it('finds a log that another one has taken the place of, by a head', async () => {
    const [seq] = head.split(':')
    expect(await verdict(`${seq}:${'0'.repeat(64)}`)).to.contain('the head that was given names another digest for it')
  })

  it('wants a key and a head that it can use', async () => {
    const wrong = verifyLog(directory.path, { publicKey: 'ed25519:00' })
    expect(await failureOf(wrong)).to.contain('--key: must be ed25519:')
    const log = openLog({ path: directory.path, bytes: 1200, keep: 1 })
    for (let index = 0; index < 12; index += 1) await log.append(event(`request-${index}`))
    await log.close()
    expect(await verdict(head)).to.match(/^--head: names line \d+, but files up to line \d+ were removed/)
    expect(await verdict()).to.match(/^intact/)
  })

  it('finds every single edit of a byte', async () => {
    const files = logFiles(directory.path)
    const contents = files.map(({ path }) => readFileSync(path))
    const total = contents.reduce((sum, { length }) => sum + length, 0)
    const edit = fc.record({
      // The last line feed may be missing: the server could be writing it.
      position: fc.integer({ min: 0, max: total - 2 }),
      kind: fc.constantFrom('replace', 'delete', 'insert'),
      byte: fc.oneof(fc.integer({ min: 0, max: 255 }), fc.constantFrom(...Buffer.from(' \n\r"{},:0aA'))),
    })
    await fc.assert(
      fc.asyncProperty(edit, async ({ position, kind, byte }) => {
        let at = position
        let number = 0
        for (; at >= contents[number]!.length; number += 1) at -= contents[number]!.length
        const content = contents[number]!
        fc.pre(kind !== 'replace' || content[at] !== byte)
        const rest = content.subarray(kind === 'insert' ? at : at + 1)
        const middle = kind === 'delete' ? [] : [Buffer.from([byte])]
        writeFileSync(files[number]!.path, Buffer.concat([content.subarray(0, at), ...middle, rest]))
        try {
          expect(await verdict()).not.to.match(/^intact/)
        } finally {
          writeFileSync(files[number]!.path, content)
        }
      }),
      { numRuns: 600 },
    )
    expect(await verdict()).to.match(/^intact/)
  })
})

import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { CommandContext, CommandDefinition } from '@sallyport/core'
import { KeyStore, keysDirectory } from '../auth/key-store.js'
import { secondsOf } from '../duration.js'
import { invalidField } from '../invalid-field.js'
import { describeLine } from './describe-line.js'
import type { ChainLink } from './lines.js'
import { endOfLog, followLines, lastLines } from './select.js'
import type { SelectedLine } from './select.js'
import { signerOf } from './signature.js'
import { verifyLog } from './verify.js'

type Input = Parameters<NonNullable<CommandDefinition['run']>>[0]

const pathArgument = { name: '[path]', description: "directory of the log (default: the configuration's)" }

const verify: CommandDefinition = {
  name: 'verify',
  description: 'find lines that were changed, removed, moved, inserted or cut off',
  arguments: [pathArgument],
  options: [
    { flags: '--head <seq:digest>', description: 'a head that was kept elsewhere, such as in the log of the server' },
    { flags: '--key <key>', description: "what audit key printed (default: that of this server's secret)" },
  ],
  run: async (input, context) => {
    const { head, key } = input.options as Partial<Record<'head' | 'key', string>>
    const publicKey = key ?? ownKey(context)
    const { files, first, last, signed, torn } = await verifyLog(directoryOf(input, context), {
      publicKey,
      ...(head === undefined ? {} : { head: parseHead(head) }),
    })
    const { print } = context
    print(`Intact: lines ${first} to ${last}, in ${files} ${files === 1 ? 'file' : 'files'}.`)
    if (first > 1) print(`Older files have been removed by rotation, up to line ${first - 1}.`)
    if (head !== undefined) print('The head that was given is in it.')
    print(signed ? `Signed up to line ${signed.seq}: ${signed.seq}:${signed.digest}` : 'Nothing is signed.')
    if (signed && signed.seq < last)
      print(`The ${last - signed.seq} after it could have been written by anybody who can write the files.`)
    if (torn) print(`${torn} bytes of a line that is not written to its end follow: a server writes, or was killed.`)
  },
}

const tail: CommandDefinition = {
  name: 'tail',
  description: 'show the last lines of the log',
  arguments: [pathArgument],
  options: [
    { flags: '-n, --lines <count>', description: 'how many', default: '20' },
    { flags: '--key <key>', description: 'only those of a key, by id or name' },
    { flags: '--check <name>', description: 'only those on which this check decided' },
    { flags: '--since <time>', description: 'only those of the last 30m, 12h, 7d' },
    { flags: '--follow', description: 'go on with what is written from now on' },
    { flags: '--json', description: 'print them as they were written' },
  ],
  run: async (input, context) => {
    const {
      lines = '20',
      since,
      follow,
      json,
      key,
      check,
    } = input.options as {
      readonly [name in 'lines' | 'since' | 'key' | 'check']?: string
    } & { readonly follow?: true; readonly json?: true }
    if (!/^\d{1,6}$/.test(lines)) throw invalidField('--lines', 'must be a whole number')
    const selection = {
      ...(key === undefined ? {} : { key }),
      ...(check === undefined ? {} : { check }),
      ...(since === undefined ? {} : { since: Date.now() - secondsOf('--since', since) * 1000 }),
    }
    const directory = directoryOf(input, context)
    const show = ({ line, text }: SelectedLine) => context.print(json ? text : describeLine(line))
    const end = endOfLog(directory)
    let shown = 0
    for (const selected of await lastLines(directory, selection, Number(lines))) {
      show(selected)
      shown = selected.line.seq
    }
    if (!follow) return
    // What was written in the meantime has been shown already.
    const { signal } = new AbortController()
    for await (const selected of followLines(directory, selection, end, signal))
      if (selected.line.seq > shown) show(selected)
  },
}

const key: CommandDefinition = {
  name: 'key',
  description: 'print the public key with which heads can be verified elsewhere',
  run: (_, context) => {
    context.print(ownKey(context))
    return Promise.resolve()
  },
}

/** `sallyport audit verify | tail | key` */
export const auditCommand: CommandDefinition = {
  name: 'audit',
  description: 'the log of who asked what, and what was done',
  commands: [verify, tail, key],
}

const directoryOf = ({ arguments: [path] }: Input, { options, baseDirectory = '.' }: CommandContext): string => {
  if (path !== undefined) return resolve(path)
  const configured = (options as { readonly audit?: { readonly path: string } }).audit?.path
  if (configured === undefined)
    throw invalidField('path', 'is required, because the configuration has no server.audit: name the directory')
  return resolve(baseDirectory, configured)
}

/** Only a server makes a secret. */
const ownKey = ({ home }: CommandContext): string => {
  if (!existsSync(keysDirectory(home)))
    throw invalidField('--key', `is required: no server has run with the state directory ${home}`)
  return signerOf(new KeyStore(home)).publicKey
}

const parseHead = (text: string): ChainLink => {
  const [, seq, digest] = /^(\d{1,15}):([\da-f]{64})$/.exec(text) ?? []
  if (seq === undefined || digest === undefined)
    throw invalidField('--head', 'must be the number of a line, a colon and 64 hexadecimal digits')
  return { seq: Number(seq), digest }
}

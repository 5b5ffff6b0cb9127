/** Texts as they come every day, a thousand of them: what a check of content finds in them is a false alarm. */

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readRows } from '../data.js'

export interface OrdinaryText {
  readonly kind: 'chat' | 'code' | 'documents' | 'tool results'
  readonly text: string
}

/** Names a folder of documents: `/usr/share/doc` of Debian. Without it, documents are those of packages. */
const documentsVariable = 'SALLYPORT_DOCUMENTS'

const perKind = 250
/** Characters of a text, from somewhere in its file. */
const [shortest, longest] = [80, 3000]
const largestFile = 300_000

/** Some of a list, evenly. */
const spread = <Item>(items: readonly Item[], count: number): Item[] =>
  Array.from(
    { length: Math.min(count, items.length) },
    (_, at) => items[Math.floor((at * items.length) / count)],
  ).filter((item) => item !== undefined)

const filesIn = (folder: string, isWanted: (path: string) => boolean): string[] =>
  existsSync(folder)
    ? readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name))
        .filter((path) => isWanted(path) && !path.includes('@sallyport'))
        .sort()
    : []

/** A part that begins and ends with a line; the length and the place follow from the number. */
const partOf = (file: string, number: number): string | undefined => {
  const text = readFileSync(file, 'utf8')
  if (text.length > largestFile || text.includes('\0')) return undefined
  const length = shortest + ((number * 7919) % (longest - shortest))
  const from = text.length > length ? (number * 104_729) % (text.length - length) : 0
  const part = text.slice(from, from + length)
  const lines = from === 0 ? part : part.slice(part.indexOf('\n') + 1)
  return lines.trim().length >= shortest ? lines : undefined
}

const partsOf = (kind: OrdinaryText['kind'], files: readonly string[], count: number): OrdinaryText[] => {
  const found: OrdinaryText[] = []
  for (const [number, file] of spread(files, 2 * count).entries()) {
    const text = partOf(file, number)
    if (text !== undefined && found.length < count) found.push({ kind, text })
  }
  return found
}

const chats = (): OrdinaryText[] => {
  const asked = readRows<{ text: string; label: number }>('injection/labelled.jsonl').filter(({ label }) => label === 0)
  return spread(asked, perKind).map(({ text }) => ({ kind: 'chat', text: text.slice(0, longest) }))
}

interface CallRow {
  readonly messages: readonly { readonly content: string }[]
  readonly tools: readonly unknown[]
}

const toolResults = (): OrdinaryText[] => {
  const json = partsOf(
    'tool results',
    filesIn('node_modules', (path) => path.endsWith('.json')),
    perKind / 2,
  )
  const calls = readRows<CallRow>('llm/tool_calls.jsonl').map(({ messages, tools }) =>
    JSON.stringify({ query: messages.at(-1)?.content, tools }, undefined, 1).slice(0, longest),
  )
  return [...json, ...spread(calls, perKind - json.length).map((text) => ({ kind: 'tool results' as const, text }))]
}

const documents = (): OrdinaryText[] => {
  const folder = process.env[documentsVariable]
  const others = folder
    ? partsOf(
        'documents',
        filesIn(folder, (path) => !/\.(?:gz|png|gif|jpg|css|js)$/.test(path)),
        perKind / 2,
      )
    : []
  const readmes = filesIn('node_modules', (path) => path.toLowerCase().endsWith('.md'))
  return [...others, ...partsOf('documents', readmes, perKind - others.length)]
}

const code = (): OrdinaryText[] =>
  partsOf(
    'code',
    filesIn('node_modules', (path) => /\.(?:[cm]?[jt]s|py|c|h|sh)$/.test(path)),
    perKind,
  )

export const ordinaryTexts = (): readonly OrdinaryText[] => [...chats(), ...code(), ...documents(), ...toolResults()]

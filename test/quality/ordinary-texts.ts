/**
 * Ordinary texts of chat, code, documents and tool results: files of the packages that every checkout has, documents of
 * Debian where they are installed, turns of chats where the evaluation data is, and results of tools that are made
 * here. Every other package is held out: rules are made with the others.
 */

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { randomNumbers } from '@sallyport/kit/numbers'
import { missingData, readRows } from './data.js'
import { madeResults } from './made-results.js'

export interface OrdinaryText {
  readonly kind: string
  readonly half: Half
  /** The file, or where else it is from. */
  readonly source: string
  readonly text: string
}

export type Half = 'looked at' | 'held out'

const halves: readonly Half[] = ['looked at', 'held out']
const longest = 6000
/** Characters of files that are looked at at all. */
const longestFile = 4_000_000

const filesBelow = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()

interface Source {
  /** What stands together: all of its files are of one half. */
  readonly group: string
  readonly file: string
}

const packages = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.') && entry.name !== '@sallyport')
    .flatMap(({ name }) =>
      name.startsWith('@') ? readdirSync(join(folder, name)).map((one) => join(name, one)) : [name],
    )
    .sort()

const sourcesIn = (folder: string): Source[] =>
  existsSync(folder)
    ? packages(folder).flatMap((group) =>
        existsSync(join(folder, group)) ? filesBelow(join(folder, group)).map((file) => ({ group, file })) : [],
      )
    : []

const minified = /[.-]min\.(?:js|css|mjs)$|\.map$/
const kinds: Readonly<Record<string, RegExp>> = {
  minified,
  locks: /(?:package-lock\.json|yarn\.lock|pnpm-lock\.yaml|Cargo\.lock|\.snap)$/,
  documents: /\.(?:md|markdown|rst|txt)$|(?:README|CHANGELOG|HISTORY)$/i,
  code: /\.(?:[cm]?[jt]sx?|py|c|cc|h|go|rs|java|sh|rb)$/,
  data: /\.(?:json|ya?ml|toml|xml|html|css|svg|env)$/,
}
const debian = /usr\/share\/doc\/.*\/(?!copyright$)[^/]+$/

const kindOf = (file: string): string | undefined =>
  debian.test(file) ? 'Debian documents' : Object.keys(kinds).find((kind) => kinds[kind]?.test(file))

/** Texts of each kind in one half. */
const wanted: Readonly<Record<string, number>> = {
  code: 260,
  documents: 200,
  data: 100,
  minified: 60,
  locks: 30,
  'Debian documents': 100,
}

const halfOf = (groups: readonly string[], group: string): Half => halves[groups.indexOf(group) % 2] ?? 'looked at'

const fromFiles = (): OrdinaryText[] => {
  const sources = [...sourcesIn('node_modules'), ...sourcesIn('/usr/share/doc')]
  const groups = [...new Set(sources.map(({ group }) => group))].sort()
  const random = randomNumbers(1)
  return halves.flatMap((half) =>
    Object.entries(wanted).flatMap(([kind, count]) => {
      const files = sources.filter(({ file, group }) => kindOf(file) === kind && halfOf(groups, group) === half)
      return shuffled(files, random)
        .slice(0, count)
        .map(({ file }) => ({ kind, half, source: file, text: partOf(readText(file), random) }))
    }),
  )
}

/** Nothing of what is too long, or no text. */
const readText = (file: string): string => {
  const bytes = readFileSync(file)
  const text = (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8')
  return text.length > longestFile || text.includes('\u0000') ? '' : text
}

/** Its beginning, or another part. */
const partOf = (text: string, random: () => number): string => {
  const start = text.length > longest && random() < 0.7 ? Math.floor(random() * (text.length - longest)) : 0
  return text.slice(start, start + longest)
}

const shuffled = <Item>(items: readonly Item[], random: () => number): Item[] =>
  items
    .map((item) => ({ item, at: random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item)

const lockFile = (): OrdinaryText[] => {
  const text = readFileSync('package-lock.json', 'utf8')
  return Array.from({ length: 60 }, (_, at) => {
    const start = Math.floor(((text.length - longest) * at) / 60)
    return {
      kind: 'locks',
      half: halves[at % 2] ?? 'looked at',
      source: 'package-lock.json',
      text: text.slice(start, start + longest),
    }
  })
}

const chats = (): OrdinaryText[] => {
  const file = 'injection/labelled.jsonl'
  if (missingData(file) !== undefined) return []
  const rows = shuffled(
    readRows<{ text: string; label: number }>(file).filter(({ label }) => label === 0),
    randomNumbers(2),
  )
  return rows
    .slice(0, 300)
    .map(({ text }, at) => ({ kind: 'chat', half: halves[at % 2] ?? 'looked at', source: file, text }))
}

const made = (): OrdinaryText[] =>
  madeResults(300).map(({ kind, text }, at) => ({
    kind: 'tool results',
    half: halves[at % 2] ?? 'looked at',
    source: kind,
    text,
  }))

export const ordinaryTexts = (): OrdinaryText[] =>
  [...fromFiles(), ...lockFile(), ...chats(), ...made()].filter(({ text }) => text.trim() !== '')

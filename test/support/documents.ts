/** The documents of the repository, and what there is that they may name. */

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { repository } from './repository.js'

/** Without what is installed or built; from the root. */
const below = (folder: string): string[] =>
  readdirSync(join(repository, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.name.startsWith('.') || ['node_modules', 'dist'].includes(entry.name)) return []
    return entry.isDirectory() ? [path, ...below(path)] : [path]
  })

const paths = below('')
const read = (path: string) => readFileSync(join(repository, path), 'utf8')

/** What stands at the head of an example, its indented blocks as those of documents. */
const headOf = (source: string): string => {
  const [, comment = ''] = /\/\*\*\n([^]*?) \*\//.exec(source) ?? []
  const fenced = (block: string) =>
    `\`\`\`${/^ +plugins:/.test(block) ? 'yaml' : 'sh'}\n${block.replaceAll(/^ {4}/gm, '')}\`\`\`\n`
  return comment.replaceAll(/^ \* ?/gm, '').replaceAll(/(?:^ {4}.*\n)+/gm, fenced)
}

export const documents = [
  ...paths.filter((path) => path.endsWith('.md')).map((path) => ({ path, text: read(path) })),
  ...paths.filter((path) => /^examples\/.*\.ts$/.test(path)).map((path) => ({ path, text: headOf(read(path)) })),
]

/** All sources together. */
export const sources = paths
  .filter((path) => /\.(?:[cm]?[jt]s|sh|py|yaml|json)$/.test(path) && path !== 'package-lock.json')
  .map(read)
  .join('\n')

/** Whether there is such a file or folder anywhere: what is built stands for its source, and a star for anything. */
export const isThere = (name: string): boolean => {
  const source = name.replace(/^(?:\.\/)+|\/$/g, '').replace(/(^|\/)dist\/(.*)\.js$/, '$1$2.ts')
  const pattern = source.replaceAll(/[.+]/g, '\\$&').replaceAll('*', '[^/]*')
  return paths.some((path) => new RegExp(`(?:^|/)${pattern}$`).test(path))
}

/** What the first group of the pattern finds, once each. */
export const matchesIn = (text: string, pattern: RegExp): string[] => [
  ...new Set(Array.from(text.matchAll(pattern), ([, found = '']) => found)),
]

/** Blocks of code in a language, without their indentation. */
export const blocks = (text: string, language: string): string[] =>
  Array.from(text.matchAll(new RegExp(`^( *)\`\`\`${language}\\n([^]*?)\`\`\``, 'gm')), ([, indent = '', block = '']) =>
    block.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
  )

/** Code within sentences. */
export const codeIn = (text: string): string[] => matchesIn(text.replace(/^ *```[^]*?^ *```/gm, ''), /`([^`\n]+)`/g)

/** The anchors of the headings, as links name them. */
export const anchorsOf = (text: string): string[] =>
  matchesIn(text, /^#+ (.*)$/gm).map((heading) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )

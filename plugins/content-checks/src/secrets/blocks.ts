/**
 * Finds blocks of several lines. A private key reaches from its first line to its last one; where that is missing, to
 * the next key or to the maximum length. The values of a Kubernetes manifest are secrets where its `kind` says so,
 * which may come after them.
 */

import { matchesInTurns } from '@sallyport/kit/views'
import type { Span } from '@sallyport/kit/views'
import { unfinishedCandidate } from './candidate.js'
import type { Candidate } from './candidate.js'
import { isRandom } from './randomness.js'

/** The maximum length of a key in UTF-16 code units: RSA of 16,384 bits has 12,700. */
export const maxKeyLength = 16_384
const maxManifestLength = 8192

interface BlockForm {
  /** Has the flag `g`. */
  readonly begin: RegExp
  readonly end: RegExp
  readonly maxLength: number
  /** Finds the secrets in a block. */
  readonly find: (text: string, start: number, end: number) => Iterable<Omit<Candidate, 'reach'>>
}

const [sure, likely] = [0.98, 0.8]

const label = String.raw`[A-Z0-9 ]{0,40}?PRIVATE KEY(?: BLOCK)?`
const material = /[A-Za-z0-9+/=]{16,}/g
/** The characters of base64 in the shortest key. */
const minMaterialLength = 40

/** Whether the block contains key material: in documents, there are often only dots between the two lines. */
const isKey = (block: string): boolean => {
  let length = 0
  for (const [part] of block.matchAll(material))
    if (isRandom(part) || part.length >= minMaterialLength) length += part.length
  return length >= minMaterialLength && new Set(block.match(material)?.join('') ?? '').size > 12
}

const key: BlockForm = {
  begin: new RegExp(String.raw`-{4,5} ?BEGIN ${label} ?-{4,5}|PuTTY-User-Key-File-\d`, 'g'),
  end: new RegExp(String.raw`-{4,5} ?END ${label} ?-{4,5}|Private-MAC: [\da-f]{40,64}`, 'g'),
  maxLength: maxKeyLength,
  *find(text, start, end) {
    if (isKey(text.slice(start, end))) yield { type: 'PRIVATE_KEY', start, end, score: sure }
  },
}

const secretManifest = /^ {0,8}kind: ?["']?Secret\b/m
const member = /^[ \t]+["']?[\w.-]{1,64}["']?: ?["']?([^\s"'#|>{[][^\s"']{3,2000})["']?[ \t]*$/gm
const dataSection = /^ {0,8}(?:data|stringData):[ \t]*\n((?:[ \t]+.*(?:\n|$)){1,200})/gm

const manifest: BlockForm = {
  begin: /^ {0,8}apiVersion: ?["']?v1["']?[ \t]*$/gm,
  end: /^(?:---|```|\S[^:\n]*$)/gm,
  maxLength: maxManifestLength,
  *find(text, start, end) {
    const block = text.slice(start, end)
    if (!secretManifest.test(block)) return
    for (const data of block.matchAll(dataSection)) {
      const from = start + data.index + data[0].length - (data[1] ?? '').length
      for (const { 0: line, 1: value = '', index } of (data[1] ?? '').matchAll(member)) {
        const at = from + index + line.lastIndexOf(value)
        if (!/^[$<{]|\{\{|<|\$\{/.test(value))
          yield { type: 'KUBERNETES_SECRET', start: at, end: at + value.length, score: likely }
      }
    }
  },
}

/** Yields undefined where the caller may pause. */
export function* blocksIn(text: string): Generator<Candidate | undefined> {
  yield* blocksOf(key, text)
  yield* blocksOf(manifest, text)
  const tail = partialBegin.exec(text.slice(-maxBeginLength))
  if (tail) yield unfinishedCandidate(text, tail[0].length)
}

/** The end of a text that may become the first line of a key or a manifest. */
const partialBegin =
  /-{1,5}(?: ?(?:B(?:E(?:G(?:I(?:N(?: [A-Z0-9 ]{0,60}-{0,4})?)?)?)?)?)?)?$|(?<![A-Za-z])Pu?T?T?Y?-?U?s?e?r?-?K?e?y?-?F?i?l?e?-?$|(?<=^|\n) {0,8}a(?:p(?:i(?:V[\w: "']{0,16})?)?)?$/
const maxBeginLength = 96

function* blocksOf({ find, ...form }: BlockForm, text: string): Generator<Candidate | undefined> {
  const begins: Span[] = []
  for (const found of matchesInTurns(text, form.begin, { before: 1, maxLength: 2 * maxBeginLength })) {
    if (found) begins.push({ start: found.index, end: found.index + found.match.length })
    yield undefined
  }
  /** The next end. It is searched again only after the beginnings have passed it. */
  let ending: Span | undefined
  for (const [at, begin] of begins.entries()) {
    if (!ending || ending.start < begin.end) ending = endFrom(form.end, text, begin.end)
    const limit = Math.min(begins[at + 1]?.start ?? text.length, begin.start + form.maxLength, text.length)
    const [start, end] = [begin.start, Math.min(ending.end, limit)]
    yield { type: '', start, end, score: undefined, reach: end }
    for (const one of find(text, start, end)) yield { ...one, reach: one.end }
    yield undefined
  }
}

const endFrom = (end: RegExp, text: string, from: number): Span => {
  end.lastIndex = from
  const found = end.exec(text)
  return found ? { start: found.index, end: found.index + found[0].length } : { start: Infinity, end: Infinity }
}

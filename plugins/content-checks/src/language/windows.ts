/** Parts of a text that are about as long as a sentence. */

import type { Steps } from '@sallyport/kit/async'
import { countLetters, proseOf } from './prose.js'

export interface Window {
  readonly start: number
  readonly end: number
  /** What of it is prose. */
  readonly prose: string
  readonly letters: number
}

/** Letters below which nothing can be told. */
export const minLetters = 20
/** Letters of a window to which no further sentence is added. */
const enough = 40
/** UTF-16 units of the longest sentence; a longer one is cut at a space where there is one. */
const longest = 600

const sentence = new RegExp(
  `[^]{1,${longest}}?(?:[.!?…]+["'”’)»]*(?=\\s|$)|[。！？؟।]|$)|[^]{1,${longest - 60}}(?:[^]{0,60}\\s)?`,
  'gy',
)
/** Lines between two pauses. */
const linesAtOnce = 64

/** Paragraphs are windows of their own, or several where they are long; sentences that are short go together. */
export function* windowsOf(text: string): Steps<Window[]> {
  const windows: Window[] = []
  let open: Window | undefined
  let lines = 0
  for (const { line, from } of linesIn(text)) {
    if ((lines += 1) % linesAtOnce === 0) yield
    const prose = proseOf(line)
    if (prose.trim() === '') {
      if (open) windows.push(open)
      open = undefined
      continue
    }
    for (const part of sentencesOf(prose, from)) {
      open = open ? joined(open, part) : part
      if (open.letters < enough) continue
      windows.push(open)
      open = undefined
    }
  }
  if (open) windows.push(open)
  return windows
}

function* linesIn(text: string): Generator<{ readonly line: string; readonly from: number }> {
  for (let from = 0; from < text.length;) {
    const end = text.indexOf('\n', from)
    const to = end < 0 ? text.length : end
    // A line of megabytes is read in parts.
    for (let at = from; at < to || at === from; at += 16_384)
      yield { line: text.slice(at, Math.min(to, at + 16_384)), from: at }
    from = to + 1
  }
}

function* sentencesOf(prose: string, from: number): Generator<Window> {
  for (const { 0: part, index } of prose.matchAll(sentence))
    if (part) yield { start: from + index, end: from + index + part.length, prose: part, letters: countLetters(part) }
}

const joined = (one: Window, other: Window): Window => ({
  start: one.start,
  end: other.end,
  prose: `${one.prose} ${other.prose}`,
  letters: one.letters + other.letters,
})

/** Cuts a text into windows of about a sentence. */

import type { Steps } from '@sallyport/kit/async'
import { countLetters, proseOf } from './prose.js'

export interface Window {
  readonly start: number
  readonly end: number
  /** The prose in the window. */
  readonly prose: string
  readonly letters: number
}

/** Windows with fewer letters are not judged. */
export const minLetters = 20
/** No sentence is added to a window with this many letters. */
const fullWindow = 40
/** The maximum length of a sentence in UTF-16 units; longer ones are cut, at a space where there is one. */
const maxSentence = 600

const sentence = new RegExp(
  `[^]{1,${maxSentence}}?(?:[.!?…]+["'”’)»]*(?=\\s|$)|[。！？؟।]|$)|[^]{1,${maxSentence - 60}}(?:[^]{0,60}\\s)?`,
  'gy',
)
/** Lines between two pauses. */
const linesBetweenPauses = 64

/** A paragraph becomes one window or, where it is long, several; short sentences are joined. */
export function* windowsOf(text: string): Steps<Window[]> {
  const windows: Window[] = []
  let open: Window | undefined
  let lines = 0
  for (const { line, from } of linesIn(text)) {
    if ((lines += 1) % linesBetweenPauses === 0) yield
    const prose = proseOf(line)
    if (prose.trim() === '') {
      if (open) windows.push(open)
      open = undefined
      continue
    }
    for (const part of sentencesOf(prose, from)) {
      open = open ? merged(open, part) : part
      if (open.letters < fullWindow) continue
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
    // Very long lines are read in parts.
    for (let at = from; at < to || at === from; at += 16_384)
      yield { line: text.slice(at, Math.min(to, at + 16_384)), from: at }
    from = to + 1
  }
}

function* sentencesOf(prose: string, from: number): Generator<Window> {
  for (const { 0: part, index } of prose.matchAll(sentence))
    if (part) yield { start: from + index, end: from + index + part.length, prose: part, letters: countLetters(part) }
}

const merged = (one: Window, other: Window): Window => ({
  start: one.start,
  end: other.end,
  prose: `${one.prose} ${other.prose}`,
  letters: one.letters + other.letters,
})

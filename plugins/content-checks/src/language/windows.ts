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

/** Windows with fewer letters are not examined. */
export const minLetters = 20
/** No sentence is added to a window with this many letters. */
const fullWindowLetters = 40
/** The maximum length of a sentence in UTF-16 code units; longer ones are cut, at a space where there is one. */
const maxSentenceLength = 600

const sentence = new RegExp(
  `[^]{1,${maxSentenceLength}}?(?:[.!?…]+["'”’)»]*(?=\\s|$)|[。！？؟।]|$)|[^]{1,${maxSentenceLength - 60}}(?:[^]{0,60}\\s)?`,
  'gy',
)
/** How many lines are processed between two pauses. */
const pauseInterval = 64

/** A paragraph becomes one window or, where it is long, several; short sentences are joined. */
export function* windowsOf(text: string): Steps<Window[]> {
  const windows: Window[] = []
  let current: Window | undefined
  let lines = 0
  for (const { line, from } of linesIn(text)) {
    if ((lines += 1) % pauseInterval === 0) yield
    const prose = proseOf(line)
    if (prose.trim() === '') {
      if (current) windows.push(current)
      current = undefined
      continue
    }
    for (const part of sentencesOf(prose, from)) {
      current = current ? joinWindows(current, part) : part
      if (current.letters < fullWindowLetters) continue
      windows.push(current)
      current = undefined
    }
  }
  if (current) windows.push(current)
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

const joinWindows = (one: Window, other: Window): Window => ({
  start: one.start,
  end: other.end,
  prose: `${one.prose} ${other.prose}`,
  letters: one.letters + other.letters,
})

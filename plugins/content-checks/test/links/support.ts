import { testCall } from '@sallyport/testing'
import type { LinksOptions } from '../../src/links/check.js'
import { LinksDetector } from '../../src/links/detector.js'

const detector = new LinksDetector()

type SomeOptions = Partial<LinksOptions>

export const findingsIn = async (text: string, options: SomeOptions = {}, before = '') =>
  (await detector.inspect({ text, before, options }, testCall())).findings

/** The text without what is found in it. */
export const removedFrom = async (text: string, options: SomeOptions = {}, before = ''): Promise<string> => {
  let left = text
  for (const { start, end } of (await findingsIn(text, options, before)).toReversed())
    left = left.slice(0, start) + left.slice(end)
  return left
}

export const openSpansIn = async (text: string, options: SomeOptions = {}) =>
  (await detector.openSpans({ text, options }, testCall())).spans

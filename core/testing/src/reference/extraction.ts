import { readFile } from 'node:fs/promises'
import { failure } from '@sallyport/core'
import type { ExtractedPart, ExtractionCapability, ExtractionRequest, ExtractionResult } from '@sallyport/core'
import { referenceService } from './backend.js'
import { wordsOf } from './words.js'

/** Reads plain text and Markdown. */
export const PlainExtraction = referenceService<ExtractionCapability>({
  extract: async ({ file, fileName, format, chunkSize }) => {
    const text = decode(await readFile(file))
    const title = /^# +(.+)$/m.exec(text)?.[1]?.trim() ?? fileName
    const contents = format === 'text' ? text.replaceAll(/^#+ +/gm, '') : text
    const words = wordsOf(contents).filter((word) => word.trim()).length
    const { headings, parts } =
      chunkSize === undefined || format === 'json' ? whole(contents) : partsOf(contents, chunkSize)
    return { title, words, headings, parts: enclosed(parts, format, title) }
  },
})

type Parts = Pick<ExtractionResult, 'headings' | 'parts'>

const whole = (contents: string): Parts => ({ headings: [], parts: contents ? [{ text: contents }] : [] })

const decode = (bytes: Buffer): string => {
  try {
    if (bytes.includes(0)) throw new Error('the text holds a NUL character')
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (cause) {
    throw failure('unsupported_media', { problem: 'the file is not text in UTF-8' }, { cause })
  }
}

const enclosures: Partial<Record<ExtractionRequest['format'], (title: string) => readonly [string, string]>> = {
  html: () => ['<pre>', '</pre>'],
  json: (title) => [`{"title":${JSON.stringify(title)},"text":"`, '"}'],
}

const enclosed = (parts: ExtractedPart[], format: ExtractionRequest['format'], title: string): ExtractedPart[] => {
  const [first = { text: '' }, ...others] = parts
  const [start, end] = enclosures[format]?.(title) ?? []
  if (start === undefined || end === undefined) return parts
  return [{ ...first, markup: start }, ...others, { markup: end, text: '', continues: true }]
}

/** Chunks of as many lines under one heading as fit; longer lines are cut. */
const partsOf = (contents: string, size: number): Parts => {
  const headings: string[] = []
  const parts: (ExtractedPart & { headings: number[] })[] = []
  let above: { level: number; place: number }[] = []
  for (const line of contents.split(/(?<=\n)/)) {
    const [, level = '', text = ''] = /^(#+) +(.+?)\s*$/.exec(line) ?? []
    if (level)
      above = [
        ...above.filter((one) => one.level < level.length),
        { level: level.length, place: headings.push(text) - 1 },
      ]
    const currentHeadings = above.map(({ place }) => place)
    const characters = Array.from(line)
    for (let from = 0; from < characters.length; from += size) {
      const chunk = characters.slice(from, from + size).join('')
      const last = parts.at(-1)
      const fits = last && Array.from((last.text + chunk).trimEnd()).length <= size
      if (fits && last.headings.join() === currentHeadings.join()) last.text += chunk
      else parts.push({ text: chunk, headings: currentHeadings })
    }
  }
  return { headings, parts }
}

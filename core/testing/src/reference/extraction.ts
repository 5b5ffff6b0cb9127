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
    const contents = formatters[format](text, title)
    const words = wordsOf(contents).filter((word) => word.trim()).length
    return {
      title,
      words,
      ...(chunkSize === undefined || format === 'json' ? whole(contents) : partsOf(contents, chunkSize)),
    }
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

const escapeHtml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

const formatters: Record<ExtractionRequest['format'], (text: string, title: string) => string> = {
  markdown: (text) => text,
  text: (text) => text.replaceAll(/^#+ +/gm, ''),
  html: (text) => `<pre>${escapeHtml(text)}</pre>`,
  json: (text, title) => JSON.stringify({ title, blocks: text.split(/\n{2,}/).filter((block) => block.trim()) }),
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

import { readFile } from 'node:fs/promises'
import { inject, injectable } from 'tsyringe'
import type { Call } from '../capabilities/call.js'
import type {
  ExtractedChunk,
  ExtractionCapability,
  ExtractionRequest,
  ExtractionResult,
} from '../capabilities/extraction.js'
import { failure } from '../errors/index.js'
import { options } from '../kernel/tokens.js'
import { pause } from './options.js'
import type { ReferenceOptions } from './options.js'
import { wordsOf } from './words.js'

/** Reads plain text and Markdown. */
@injectable()
export class PlainExtraction implements ExtractionCapability {
  constructor(@inject(options) private readonly options: ReferenceOptions) {}

  async extract({ file, fileName, format, chunkSize }: ExtractionRequest, call: Call): Promise<ExtractionResult> {
    await pause(this.options, call)
    const text = decoded(await readFile(file))
    const title = /^# +(.+)$/m.exec(text)?.[1]?.trim() ?? fileName
    const contents = presented[format](text, title)
    return {
      title,
      contents,
      words: wordsOf(contents).filter((word) => word.trim()).length,
      ...(chunkSize === undefined ? {} : { chunks: chunksOf(contents, chunkSize) }),
    }
  }
}

const decoded = (bytes: Buffer): string => {
  try {
    if (bytes.includes(0)) throw new Error('text holds no NUL')
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (cause) {
    throw failure('unsupported_media', { problem: 'this is no text in UTF-8' }, { cause })
  }
}

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

const presented: Record<ExtractionRequest['format'], (text: string, title: string) => string> = {
  markdown: (text) => text,
  text: (text) => text.replaceAll(/^#+ +/gm, ''),
  html: (text) => `<pre>${escaped(text)}</pre>`,
  json: (text, title) => JSON.stringify({ title, blocks: text.split(/\n{2,}/).filter((block) => block.trim()) }),
}

/** Lines, cut where they are longer than a chunk; a chunk holds as many as fit, under one heading. */
const chunksOf = (contents: string, size: number): ExtractedChunk[] => {
  const chunks: ExtractedChunk[] = []
  let headings: string[] = []
  let at = 0
  for (const line of contents.split(/(?<=\n)/)) {
    headings = headingsAfter(headings, line)
    const characters = Array.from(line)
    for (let from = 0; from < characters.length; from += size) {
      const text = characters.slice(from, from + size).join('')
      const last = chunks.at(-1)
      const end = at + Math.min(from + size, characters.length)
      if (last && end - last.start <= size && last.headings.join('\n') === headings.join('\n')) {
        last.text += text
        last.end = end
      } else chunks.push({ text, start: at + from, end, headings })
    }
    at += characters.length
  }
  return chunks
}

const headingsAfter = (headings: string[], line: string): string[] => {
  const [, level = '', text = ''] = /^(#+) +(.+?)\s*$/.exec(line) ?? []
  return level ? [...headings.slice(0, level.length - 1), text] : headings
}

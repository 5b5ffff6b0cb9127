import { contentsOf } from '@sallyport/core'
import type { ExtractedPart, ExtractionRequest } from '@sallyport/core'
import { expect } from 'chai'
import type { Limits } from '../../src/options.js'
import type { DocumentTree } from '../../src/model/blocks.js'
import { DocumentProblem } from '../../src/problem.js'
import { read } from '../../src/read/index.js'
import type { Source } from '../../src/read/source.js'
import { write } from '../../src/write/index.js'

export const limits: Limits = {
  unpacked: 64 * 2 ** 20,
  pages: 100,
  ocrPages: 3,
  pixels: 4e6,
  elements: 2e6,
  characters: 1e6,
}

export const treeOf = (content: Uint8Array | string, more: Partial<Source> = {}): Promise<DocumentTree> =>
  read({ bytes: Buffer.from(content), limits, embedImages: false, ...more })

export const written = (tree: DocumentTree, format: ExtractionRequest['format']): string =>
  write({ title: 'file', ...tree }, format, limits.characters)
    .flatMap(({ pieces }) => pieces.map((piece) => contentsOf(piece, format)))
    .join('')

export const markdownOf = async (content: Uint8Array | string, more: Partial<Source> = {}): Promise<string> =>
  written(await treeOf(content, more), 'markdown')

export const textOf = async (content: Uint8Array | string): Promise<string> => written(await treeOf(content), 'text')

export const problemOf = async (content: Uint8Array | string, more: Partial<Source> = {}): Promise<string> => {
  try {
    await treeOf(content, more)
  } catch (error) {
    if (error instanceof DocumentProblem) return error.message
    throw error
  }
  return expect.fail('it was read')
}

/** The chunks of parts, each with what the parts that it is made of write. */
export const chunksIn = (
  parts: readonly ExtractedPart[],
  format: ExtractionRequest['format'],
): (ExtractedPart & { readonly written: string })[] => {
  const chunks: (ExtractedPart & { written: string })[] = []
  for (const part of parts) {
    const last = part.continues ? chunks.at(-1) : undefined
    if (last) last.written += contentsOf(part, format)
    else chunks.push({ ...part, written: contentsOf(part, format) })
  }
  return chunks
}

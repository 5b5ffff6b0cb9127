import { existsSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { GgufError } from './file-window.js'
import { readGgufHeader } from './header.js'
import type { GgufHeader } from './header.js'
import { numberAt } from './metadata.js'

const maxParts = 999
const firstPart = /^(.*)-00001-of-(\d{5})\.gguf$/

/**
 * Reads the header of a model from its file or from the first of its parts. llama.cpp finds the other parts of a split
 * model next to the first one by their names (`llama_split_path`). Each part is checked, and their tensors are joined.
 * @throws GgufError
 */
export const readModelHeader = (path: string): GgufHeader => {
  const first = readGgufHeader(path)
  const count = numberAt(first.metadata, 'split.count') ?? 1
  if (count <= 1) return first
  if (numberAt(first.metadata, 'split.no') !== 0)
    throw new GgufError('the file is a later part of a split model: name the first part')
  const others = otherParts(path, count).map((part, index) => readPart(part, index + 1, count))
  return { ...first, tensors: [first, ...others].flatMap(({ tensors }) => tensors) }
}

const otherParts = (path: string, count: number): string[] => {
  const [, stem, countInName] = firstPart.exec(basename(path)) ?? []
  if (stem === undefined || countInName === undefined || Number(countInName) !== count || count > maxParts) {
    const name = `NAME-${padded(1)}-of-${padded(count)}.gguf`
    throw new GgufError(`the file is the first of ${count} parts of a split model: it must be called ${name}`)
  }
  return Array.from({ length: count - 1 }, (_, index) =>
    join(dirname(path), `${stem}-${padded(index + 2)}-of-${countInName}.gguf`),
  )
}

const padded = (number: number) => String(number).padStart(5, '0')

const readPart = (path: string, index: number, count: number): GgufHeader => {
  const label = `part ${index + 1} of ${count} of the split model`
  if (!existsSync(path)) throw new GgufError(`${label} is not in the folder of the first one`)
  try {
    const header = readGgufHeader(path)
    const { metadata } = header
    if (numberAt(metadata, 'split.no') === index && numberAt(metadata, 'split.count') === count) return header
  } catch (error) {
    throw error instanceof GgufError ? new GgufError(`${label}: ${error.message}`) : error
  }
  throw new GgufError(`${label} belongs to another model`)
}

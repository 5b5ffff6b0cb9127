import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { repository } from '../../support/repository.js'

const pages = ['README.md', 'ARCHITECTURE.md'].map((name) => join(repository, name))

/** Ordinary English of so many characters each: the paragraphs of this repository's own pages. */
export const prose = (length: number): string[] => {
  const text = pages
    .flatMap((page) =>
      readFileSync(page, 'utf8')
        .replace(/```[^]*?```/g, '')
        .split(/\n\s*\n/),
    )
    .filter((paragraph) => /^[A-Z*]/.test(paragraph) && paragraph.length > 80)
    .join(' ')
    .replace(/[`*]|\]\([^)]*\)|\[/g, '')
    .replace(/\s+/g, ' ')
  return Array.from({ length: Math.floor(text.length / length) }, (_, at) => text.slice(at * length, (at + 1) * length))
}

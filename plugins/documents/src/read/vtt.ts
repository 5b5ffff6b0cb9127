import type { Block, DocumentTree } from '../model/blocks.js'
import { text } from '../model/inlines.js'

const timing = /^(?:\d+:)?\d+:\d+[.,]\d+\s+-->/

/** What is said, a paragraph for each cue, after the name of who says it; without times. */
export const vttTree = (source: string): DocumentTree => {
  const [head = '', ...parts] = source.split(/\n[ \t]*\n/)
  const title = /^\ufeff?WEBVTT[ \t]+(?:-[ \t]*)?(\S.*)$/m.exec(head.split('\n')[0] ?? '')?.[1]?.trim()
  const blocks = parts.flatMap((part): Block[] => {
    const lines = part.split('\n')
    const at = lines.findIndex((line) => timing.test(line))
    if (at < 0) return []
    const said = lines
      .slice(at + 1)
      .map(plain)
      .filter(Boolean)
      .join('\n')
    return said ? [{ type: 'paragraph', content: [text(said)] }] : []
  })
  return { ...(title && { title }), blocks }
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', nbsp: ' ', lrm: '', rlm: '' }

const plain = (line: string): string =>
  line
    .replace(/<v(?:\.[^ >]*)?[ \t]+([^>]+)>/g, '$1: ')
    .replace(/<[^>]*>/g, '')
    .replace(/&(\w+);/g, (whole, name: string) => entities[name] ?? whole)
    .trim()

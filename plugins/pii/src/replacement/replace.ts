import type { Finding, Replacement, Pacer } from '@sallyport/core'

/** Replaces each finding, in turns. Of overlapping ones the longest, then the best score, wins. */
export const replaceFindings = async (
  text: string,
  findings: readonly Finding[],
  substitute: (original: string, type: string) => string,
  pacer: Pacer,
): Promise<Replacement> => {
  const parts: string[] = []
  const spans: Replacement['spans'] = []
  let copied = 0
  let length = 0
  const put = (part: string) => {
    parts.push(part)
    length += part.length
  }
  for (const { start, end, type } of withoutOverlaps(findings, text.length)) {
    put(text.slice(copied, start))
    const begin = length
    put(substitute(text.slice(start, end), type))
    spans.push({ start: begin, end: length, type })
    copied = end
    await pacer.pause()
  }
  put(text.slice(copied))
  return { text: parts.join(''), spans }
}

/** What overlaps a finding that is at least as long has its first or its last character inside. */
const withoutOverlaps = (findings: readonly Finding[], length: number): Finding[] => {
  const taken = new Uint8Array(length)
  const byRank = findings.toSorted((a, b) => b.end - b.start - (a.end - a.start) || b.score - a.score)
  const kept = byRank.filter(({ start, end }) => {
    if (start >= end || taken[start] || taken[end - 1]) return false
    taken.fill(1, start, end)
    return true
  })
  return kept.sort((a, b) => a.start - b.start)
}

import type { Finding, Replacement } from '@sallyport/core'
import type { Pacer } from '@sallyport/kit/async'

/** Replaces findings; overlapping ones together, as the type of the longest, or of the best of equal length. */
export const replaceFindings = async (
  text: string,
  findings: readonly Finding[],
  substitute: (original: string, type: string) => string,
  pacer: Pacer,
): Promise<Replacement> => {
  const parts: string[] = []
  const spans: Replacement['spans'] = []
  let [copied, length] = [0, 0]
  for (const { start, end, type } of mergedFindings(findings)) {
    const replacement = substitute(text.slice(start, end), type)
    parts.push(text.slice(copied, start), replacement)
    const begin = length + start - copied
    length = begin + replacement.length
    spans.push({ start: begin, end: length, type })
    copied = end
    await pacer.pause()
  }
  return { text: parts.join('') + text.slice(copied), spans }
}

const mergedFindings = (findings: readonly Finding[]): Finding[] => {
  const result: Finding[] = []
  let longest: Finding | undefined
  for (const finding of findings.filter(({ start, end }) => start < end).toSorted((a, b) => a.start - b.start)) {
    const last = result.at(-1)
    if (!last || !longest || finding.start >= last.end) {
      result.push(finding)
      longest = finding
    } else {
      if ((lengthOf(finding) - lengthOf(longest) || finding.score - longest.score) > 0) longest = finding
      result[result.length - 1] = { ...longest, start: last.start, end: Math.max(last.end, finding.end) }
    }
  }
  return result
}

const lengthOf = ({ start, end }: Finding): number => end - start

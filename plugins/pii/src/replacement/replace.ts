import type { Finding, Replacement } from '@sallyport/core'
import type { Pacer } from '@sallyport/kit/async'

/**
 * Replaces all findings, with pauses. Overlapping ones are replaced together, as the type of the longest or else the
 * best.
 */
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
  for (const { start, end, type } of mergedFindings(findings)) {
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

const mergedFindings = (findings: readonly Finding[]): Finding[] => {
  const result: Finding[] = []
  let longest: Finding | undefined
  for (const finding of findings.filter(({ start, end }) => start < end).toSorted((a, b) => a.start - b.start)) {
    const last = result.at(-1)
    if (!last || !longest || finding.start >= last.end) {
      result.push(finding)
      longest = finding
      continue
    }
    if (isBetter(finding, longest)) longest = finding
    result[result.length - 1] = { ...longest, start: last.start, end: Math.max(last.end, finding.end) }
  }
  return result
}

const lengthOf = ({ start, end }: Finding): number => end - start

const isBetter = (one: Finding, other: Finding): boolean =>
  lengthOf(one) > lengthOf(other) || (lengthOf(one) === lengthOf(other) && one.score > other.score)

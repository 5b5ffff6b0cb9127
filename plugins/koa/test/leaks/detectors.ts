/** Detectors that know the secret, and such that fail and quote what they read. */

import type { Finding, InspectionRequest } from '@sallyport/core'
import { findSecret, openSecrets } from './secret.js'

export const replacement = '<SECRET>'
export const replacementInHtml = '&lt;SECRET&gt;'

const inspection = (findings: Finding[], found: boolean) =>
  Promise.resolve({ findings, score: found ? 1 : 0, explanation: '', detector: 'walk', latency: 0 })

const findings = (text: string): Finding[] => findSecret(text).map((span) => ({ ...span, type: 'SECRET', score: 1 }))

/** What ends in the text counts, wherever it begins; of what begins before the text, the part in it is found. */
const scored = {
  inspect: ({ text, before = '' }: InspectionRequest) => {
    const found = findings(before + text)
      .filter(({ end }) => end > before.length)
      .map(({ start, end, ...finding }) => ({
        ...finding,
        start: Math.max(0, start - before.length),
        end: end - before.length,
      }))
    return inspection(found, found.length > 0)
  },
}

export const detectors = {
  injection: scored,
  toxicity: scored,
  factuality: scored,
  pii: {
    inspect: ({ text }: InspectionRequest) => inspection(findings(text), findings(text).length > 0),
    replace: ({ text, findings: found }: { text: string; findings: Finding[] }) =>
      Promise.resolve({
        text: found.reduceRight((rest, { start, end }) => rest.slice(0, start) + replacement + rest.slice(end), text),
        spans: [],
      }),
    openSpans: ({ text }: { text: string }) => Promise.resolve({ spans: openSecrets(text) }),
  },
}

const fail = ({ text }: { text: string }) => Promise.reject(new Error(`cannot read ${text}`))

export const brokenDetectors = {
  injection: { inspect: fail },
  toxicity: { inspect: fail },
  factuality: { inspect: fail },
  pii: { inspect: fail, replace: fail, openSpans: fail },
}

import { sumFindings } from '../findings.js'
import type { Verdict } from '../policy.js'

const gravity: readonly Verdict['verdict'][] = ['pass', 'replace', 'unavailable', 'block']

/** One verdict per check for a text that is checked in many segments: the gravest, with the time and the findings of all. */
export class Verdicts {
  private readonly byCheck = new Map<Verdict['check'], Verdict>()

  add(verdict: Verdict): void {
    const other = this.byCheck.get(verdict.check)
    this.byCheck.set(verdict.check, other ? joined(other, verdict) : verdict)
  }

  /** Hands them out, once. */
  report(hear: (verdict: Verdict) => void): void {
    for (const verdict of this.byCheck.values()) hear(verdict)
    this.byCheck.clear()
  }
}

const joined = (one: Verdict, other: Verdict): Verdict => {
  const [graver, lighter] = rank(other) > rank(one) ? [other, one] : [one, other]
  const findings = sumFindings(one.findings ?? {}, other.findings ?? {})
  return {
    ...lighter,
    ...graver,
    latency: one.latency + other.latency,
    ...(Object.keys(findings).length ? { findings } : {}),
  }
}

/** By verdict, then by score. */
const rank = ({ verdict, score = 0 }: Verdict): number => gravity.indexOf(verdict) + score / 2

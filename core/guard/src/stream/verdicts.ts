import { graverVerdict } from '@sallyport/core'
import type { Verdict } from '@sallyport/core'
import { sumFindings } from '../findings.js'

/** One verdict per check for a text that is checked in many segments: the gravest, with the time and the findings of all. */
export class Verdicts {
  private readonly byCheck = new Map<Verdict['check'], Verdict>()
  private reported = false

  add(verdict: Verdict): void {
    const other = this.byCheck.get(verdict.check)
    this.byCheck.set(verdict.check, other ? joined(other, verdict) : verdict)
  }

  /** Hands them out, once. */
  report(hear: (verdict: Verdict) => void): void {
    if (this.reported) return
    this.reported = true
    for (const verdict of this.byCheck.values()) hear(verdict)
  }
}

const joined = (one: Verdict, other: Verdict): Verdict => {
  const graver = graverVerdict(one, other)
  const findings = sumFindings(one.findings ?? {}, other.findings ?? {})
  return {
    ...(graver === one ? other : one),
    ...graver,
    latency: one.latency + other.latency,
    ...(Object.keys(findings).length ? { findings } : {}),
  }
}

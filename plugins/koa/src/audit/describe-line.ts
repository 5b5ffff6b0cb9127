import type { AuditLine } from './lines.js'

interface RequestLine extends AuditLine {
  readonly who?: string | { readonly key: string; readonly name?: string }
  readonly verdicts?: readonly {
    readonly check: string
    readonly stage: string
    readonly verdict: string
    readonly mode: string
    readonly findings?: Readonly<Record<string, number>>
  }[]
  readonly tokens?: { readonly in: number; readonly out: number }
}

/** Members that are said otherwise, or are there for the chain. */
const left = new Set(['seq', 'prev', 'kind', 'time', 'up', 'who', 'verdicts', 'tokens', 'admitted', 'signature'])
/** Members that need no name. */
const bare = new Set(['address', 'method', 'route', 'status', 'code', 'done', 'model'])

/** A line as a person reads it. */
export const describeLine = (line: RequestLine): string => {
  const { time, kind, who, verdicts = [], tokens } = line
  const members = Object.entries(line).flatMap(([name, value]) =>
    left.has(name) ? [] : [bare.has(name) ? String(value) : `${name}=${String(value)}`],
  )
  const decided = verdicts.map(({ check, stage, verdict, mode, findings = {} }) => {
    const counts = Object.entries(findings).map(([type, count]) => `${type} ${count}`)
    return `${stage}.${check}=${mode === 'shadow' ? 'shadow-' : ''}${verdict}${counts.length ? `(${counts.join(', ')})` : ''}`
  })
  const used = tokens ? [`tokens=${tokens.in}+${tokens.out}`] : []
  return [time, kind.padEnd(8), ...(who === undefined ? [] : [nameOf(who)]), ...members, ...decided, ...used]
    .join(' ')
    .trimEnd()
}

const nameOf = (who: NonNullable<RequestLine['who']>): string => (typeof who === 'string' ? who : (who.name ?? who.key))

import { failure } from '@sallyport/core'

const units = { s: 1, m: 60, h: 3600, d: 86_400, w: 604_800, y: 31_536_000 } as const

/** The time that lies this far ahead: `12h`, `30d`, `1y`. @throws invalid_request */
export const expiryAfter = (written: string, now = Date.now()): Date => {
  const match = /^(\d{1,5})([smhdwy])$/.exec(written)
  const seconds = match ? Number(match[1]) * units[match[2] as keyof typeof units] : 0
  if (!seconds)
    throw failure('invalid_request', { field: '--expires', problem: 'must be a number and a unit: 12h, 30d, 8w, 1y' })
  return new Date(now + seconds * 1000)
}

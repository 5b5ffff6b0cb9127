import { invalidField } from './invalid-field.js'

const units = { s: 1, m: 60, h: 3600, d: 86_400, w: 604_800, y: 31_536_000 } as const

/** The seconds of a duration such as `12h`, `30d` or `1y`. @param field the option that has it @throws invalid_request */
export const secondsOf = (field: string, duration: string): number => {
  const match = /^(\d{1,5})([smhdwy])$/.exec(duration)
  const seconds = match ? Number(match[1]) * units[match[2] as keyof typeof units] : 0
  if (!seconds) throw invalidField(field, 'must be a number and a unit: 12h, 30d, 8w, 1y')
  return seconds
}

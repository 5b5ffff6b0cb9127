/** Days and months in UTC, which quotas begin anew with. */

const dayMilliseconds = 86_400_000

/** The day that was asked for last: every request asks, and dates take long to format. */
let latest = { number: NaN, text: '' }

/** `2026-11-29` */
export const dayOf = (time: number): string => {
  const number = Math.floor(time / dayMilliseconds)
  if (latest.number !== number) latest = { number, text: new Date(time).toISOString().slice(0, 10) }
  return latest.text
}

/** The first and the last possible day of a day's month. */
export const monthOf = (day: string): { readonly first: string; readonly last: string } => {
  const month = day.slice(0, 7)
  return { first: `${month}-01`, last: `${month}-31` }
}

/** When the next day begins, in milliseconds since 1970. */
export const nextDay = (time: number): number => {
  const date = new Date(time)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate() + 1)
}

/** When the next month begins, in milliseconds since 1970. */
export const nextMonth = (time: number): number => {
  const date = new Date(time)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1)
}

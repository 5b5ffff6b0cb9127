/** `Sunday, 2026-11-29 15:04:05 GMT+1`. @throws RangeError for an unknown time zone */
export const timeIn = (zone: string, now: Date): string => {
  const parts = new Intl.DateTimeFormat('en-GB', {
    ...{ timeZone: zone, weekday: 'long', year: 'numeric', month: '2-digit', day: '2-digit' },
    ...{ hour: '2-digit', minute: '2-digit', second: '2-digit', timeZoneName: 'shortOffset' },
  }).formatToParts(now)
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.find((one) => one.type === type)?.value ?? ''
  const date = `${part('year')}-${part('month')}-${part('day')}`
  return `${part('weekday')}, ${date} ${part('hour')}:${part('minute')}:${part('second')} ${part('timeZoneName').replace(/\+0$/, '')}`
}

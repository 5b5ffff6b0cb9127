/** Transcripts as subtitles: SubRip, and WebVTT (https://www.w3.org/TR/webvtt1). */

import type { TranscribedSegment } from '@sallyport/core'

/** 3723.4 → `01:02:03,400` */
const timeOf = (seconds: number, point: ',' | '.'): string => {
  const milliseconds = Math.round(seconds * 1000)
  const parts = [milliseconds / 3_600_000, (milliseconds / 60_000) % 60, (milliseconds / 1000) % 60]
  const clock = parts.map((part) => String(Math.floor(part)).padStart(2, '0')).join(':')
  return `${clock}${point}${String(milliseconds % 1000).padStart(3, '0')}`
}

/** A cue ends at a blank line, and an arrow separates its times. */
const cueText = (text: string): string =>
  text
    .trim()
    .replace(/\s*\n\s*/g, '\n')
    .replaceAll('-->', '→')

export const srt = (segments: readonly TranscribedSegment[]): string =>
  segments
    .map((segment, index) => {
      const times = `${timeOf(segment.start, ',')} --> ${timeOf(segment.end, ',')}`
      return `${index + 1}\n${times}\n${cueText(segment.text)}\n`
    })
    .join('\n')

/** Characters with a meaning in the text of a cue. */
const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

const escaped = (text: string): string => text.replace(/[&<>]/g, (character) => escapes[character] ?? '')

export const vtt = (segments: readonly TranscribedSegment[]): string =>
  [
    'WEBVTT\n',
    ...segments.map(
      ({ text, start, end }) => `${timeOf(start, '.')} --> ${timeOf(end, '.')}\n${escaped(cueText(text))}\n`,
    ),
  ].join('\n')

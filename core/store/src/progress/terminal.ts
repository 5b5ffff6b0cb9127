import cliProgress from 'cli-progress'
import colours from 'picocolors'
import { formatBytes } from '@sallyport/kit/text'
import type { Progress } from './progress.js'

const shownLabel = 44
/** Bytes per second below which the time that is left says nothing. */
const slowest = 10_000

/** A bar per transfer, redrawn in place. */
export const terminalProgress = (stream: NodeJS.WriteStream): Progress => {
  const { cyan, dim } = colours.createColors(stream.hasColors())
  return {
    begin: (label, total) => {
      const bar = new cliProgress.SingleBar({
        stream,
        format: `${shorten(label)} ${cyan('{bar}')} {percentage}% ${dim('{done} {speed} {duration_formatted}')}`,
        barsize: 24,
        barCompleteChar: '█',
        barIncompleteChar: '░',
        hideCursor: true,
      })
      const begun = Date.now()
      let first: number | undefined
      const facts = (bytes: number) => {
        const speed = ((bytes - (first ?? bytes)) / Math.max(1, Date.now() - begun)) * 1000
        const left = total === undefined || speed < slowest ? '' : `, ${Math.ceil((total - bytes) / speed)} s left`
        return {
          done: total === undefined ? formatBytes(bytes) : `${formatBytes(bytes)} of ${formatBytes(total)}`,
          speed: `${formatBytes(speed)}/s${left}`,
        }
      }
      bar.start(total ?? 1, 0, facts(0))
      return {
        update: (bytes) => {
          first ??= bytes
          const shown = Math.min(bytes, total ?? bytes)
          bar.update(total === undefined ? 0 : shown, facts(shown))
        },
        end: (outcome) => {
          if (outcome === 'done') bar.update(total ?? 1, total === undefined ? {} : { ...facts(total), speed: '' })
          bar.stop()
        },
      }
    },
    say: (line) => stream.write(`${line}\n`),
  }
}

const shorten = (label: string): string =>
  (label.length > shownLabel ? `${label.slice(0, shownLabel - 1)}…` : label).padEnd(shownLabel)

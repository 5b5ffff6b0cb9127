import cliProgress from 'cli-progress'
import colours from 'picocolors'
import { formatBytes } from '../units.js'
import type { Progress } from './progress.js'

const shownLabel = 44

/** A bar per transfer, redrawn in place. */
export const terminalProgress = (stream: NodeJS.WriteStream): Progress => {
  const { cyan, dim } = colours.createColors(colours.isColorSupported && stream.hasColors())
  return {
    begin: (label, total) => {
      const bar = new cliProgress.SingleBar({
        stream,
        format: `${shorten(label)} ${cyan('{bar}')} {percentage}% ${dim('{done} {speed} {eta_formatted}')}`,
        barsize: 24,
        barCompleteChar: '█',
        barIncompleteChar: '░',
        hideCursor: true,
        etaBuffer: 40,
      })
      const begun = Date.now()
      let first: number | undefined
      const facts = (bytes: number) => ({
        done: total === undefined ? formatBytes(bytes) : `${formatBytes(bytes)} of ${formatBytes(total)}`,
        speed: `${formatBytes(((bytes - (first ?? bytes)) / Math.max(1, Date.now() - begun)) * 1000)}/s`,
      })
      bar.start(total ?? 1, 0, facts(0))
      return {
        update: (bytes) => {
          first ??= bytes
          bar.update(total === undefined ? 0 : Math.min(bytes, total), facts(bytes))
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

/** Shows users what is being fetched. */

import cliProgress from 'cli-progress'
import colours from 'picocolors'
import { formatBytes } from '@sallyport/kit/text'

export interface Progress {
  /** A transfer begins. @param total bytes, where known */
  begin(label: string, total: number | undefined): Transfer
  /** Shows a line of its own about other work that takes time. */
  say(line: string): void
}

export interface Transfer {
  /** @param bytes that have arrived so far, counting those of an earlier, cut transfer */
  update(bytes: number): void
  end(outcome: 'done' | 'failed'): void
}

/** Does the work of a transfer, and ends it. */
export const showTransfer = async <Result>(
  transfer: Transfer,
  work: (transfer: Transfer) => Promise<Result>,
): Promise<Result> => {
  let outcome: 'done' | 'failed' = 'failed'
  try {
    const result = await work(transfer)
    outcome = 'done'
    return result
  } finally {
    transfer.end(outcome)
  }
}

/** Passes progress on, and reports the bytes of all transfers that have arrived. */
export const reportedProgress = (progress: Progress, report: (bytes: number) => void): Progress => {
  let arrived = 0
  return {
    begin: (label, total) => {
      const transfer = progress.begin(label, total)
      let last = 0
      return {
        update: (bytes) => {
          arrived += bytes - last
          last = bytes
          report(arrived)
          transfer.update(bytes)
        },
        end: (outcome) => transfer.end(outcome),
      }
    },
    say: (line) => progress.say(line),
  }
}

export const silentProgress: Progress = {
  begin: () => ({ update: () => undefined, end: () => undefined }),
  say: () => undefined,
}

/** Bars at a terminal, lines elsewhere; on standard error, since standard output is for results. */
export const standardProgress = (stream: NodeJS.WriteStream = process.stderr): Progress =>
  stream.isTTY ? terminalProgress(stream) : lineProgress((line) => stream.write(`${line}\n`))

/** A few plain lines, for logs and pipes. @param interval milliseconds between two lines about the same transfer */
export const lineProgress = (write: (line: string) => void, interval = 3_000): Progress => ({
  begin: (label, total) => {
    write(`fetching ${label}${total === undefined ? '' : ` (${formatBytes(total)})`}`)
    const begun = Date.now()
    let [first, latest, reported, reportedAt] = [undefined as number | undefined, 0, 0, begun]
    return {
      update: (bytes) => {
        first ??= bytes
        latest = bytes
        const now = Date.now()
        if (now - reportedAt < interval) return
        const speed = ((bytes - Math.max(reported, first)) / (now - reportedAt)) * 1000
        const done = total ? `${Math.min(100, Math.floor((bytes / total) * 100))} %` : formatBytes(bytes)
        write(`  ${label}: ${done}, ${formatBytes(Math.max(0, speed))}/s`)
        reported = bytes
        reportedAt = now
      },
      end: (outcome) => {
        const seconds = ((Date.now() - begun) / 1000).toFixed(1)
        if (outcome === 'done') write(`fetched ${label}: ${formatBytes(total ?? latest)} in ${seconds} s`)
      },
    }
  },
  say: write,
})

const labelWidth = 44
/** Bytes per second below which the time that is left says nothing. */
const minSpeed = 10_000

/** A bar per transfer, redrawn in place. */
export const terminalProgress = (stream: NodeJS.WriteStream): Progress => {
  const { cyan, dim } = colours.createColors(stream.hasColors())
  return {
    begin: (label, total) => {
      const bar = new cliProgress.SingleBar({
        stream,
        format: `${fitted(label)} ${cyan('{bar}')} {percentage}% ${dim('{done} {speed} {duration_formatted}')}`,
        barsize: 24,
        barCompleteChar: '█',
        barIncompleteChar: '░',
        hideCursor: true,
      })
      const begun = Date.now()
      let first: number | undefined
      const facts = (bytes: number) => {
        const speed = ((bytes - (first ?? bytes)) / Math.max(1, Date.now() - begun)) * 1000
        const left = total === undefined || speed < minSpeed ? '' : `, ${Math.ceil((total - bytes) / speed)} s left`
        return {
          done: total === undefined ? formatBytes(bytes) : `${formatBytes(bytes)} of ${formatBytes(total)}`,
          speed: `${formatBytes(speed)}/s${left}`,
        }
      }
      bar.start(total ?? 1, 0, facts(0))
      return {
        update: (bytes) => {
          first ??= bytes
          const done = Math.min(bytes, total ?? bytes)
          bar.update(total === undefined ? 0 : done, facts(done))
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

const fitted = (label: string): string =>
  (label.length > labelWidth ? `${label.slice(0, labelWidth - 1)}…` : label).padEnd(labelWidth)

import { formatBytes } from '@sallyport/kit/text'
import type { Progress } from './progress.js'

/** Milliseconds between two lines about the same transfer. */
const defaultInterval = 3_000

/** Plain lines, few of them: for logs and pipes. */
export const lineProgress = (write: (line: string) => void, interval = defaultInterval): Progress => ({
  begin: (label, total) => {
    const size = total === undefined ? '' : ` (${formatBytes(total)})`
    write(`fetching ${label}${size}`)
    const begun = Date.now()
    let [first, latest, shown, shownAt] = [undefined as number | undefined, 0, 0, begun]
    return {
      update: (bytes) => {
        first ??= bytes
        latest = bytes
        const now = Date.now()
        if (now - shownAt < interval) return
        const speed = ((bytes - Math.max(shown, first)) / (now - shownAt)) * 1000
        const done = total ? `${Math.min(100, Math.floor((bytes / total) * 100))} %` : formatBytes(bytes)
        write(`  ${label}: ${done}, ${formatBytes(Math.max(0, speed))}/s`)
        shown = bytes
        shownAt = now
      },
      end: (outcome) => {
        if (outcome === 'done') write(`fetched ${label}: ${formatBytes(total ?? latest)} in ${elapsed(begun)}`)
      },
    }
  },
  say: write,
})

const elapsed = (since: number): string => `${((Date.now() - since) / 1000).toFixed(1)} s`

import type { Readable } from 'node:stream'
import { Liveness, seconds } from './liveness.js'

/**
 * Notices when the thread that gives signs of life falls silent: then nothing of the process runs, however busy its
 * event loop may be. It counts from the first sign: without that thread there is none.
 * @param limit milliseconds
 * @returns ends the watch
 */
export const watchPulse = (lifeline: Readable, limit: number, onSilent: (reason: string) => void): (() => void) => {
  let liveness: Liveness | undefined
  lifeline.on('error', () => undefined)
  lifeline.on('data', () => {
    liveness ??= new Liveness({
      interval: limit / 10,
      limit: () => limit,
      busy: () => true,
      ping: () => undefined,
      dead: (silence) => onSilent(`it was stopped: no sign of life for ${seconds(silence)}`),
    })
    liveness.heard()
  })
  return () => liveness?.stop()
}

/**
 * A thread that ends the process when it has more memory than it may (what native code takes, no limit of V8 holds), and
 * when whoever started it has ended: the main thread hears of that only where nothing holds it.
 */

import { workerData } from 'node:worker_threads'

const limit = workerData as number
const parent = process.ppid

setInterval(() => {
  if (process.memoryUsage.rss() > limit || process.ppid !== parent) process.kill(process.pid, 'SIGKILL')
}, 50)

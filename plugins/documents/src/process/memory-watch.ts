/**
 * A thread that ends the process when it exceeds its memory limit (V8's own limit leaves out native code), or when its
 * parent has ended, which a blocked main thread would not notice.
 */

import { workerData } from 'node:worker_threads'

const limit = workerData as number
const parent = process.ppid

setInterval(() => {
  if (process.memoryUsage.rss() > limit || process.ppid !== parent) process.kill(process.pid, 'SIGKILL')
}, 50)

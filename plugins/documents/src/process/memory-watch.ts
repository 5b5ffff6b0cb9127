/** A thread that ends the process when it has more memory than it may: what native code takes, no limit of V8 holds. */

import { workerData } from 'node:worker_threads'

const limit = workerData as number

setInterval(() => {
  if (process.memoryUsage.rss() > limit) process.kill(process.pid, 'SIGKILL')
}, 50)

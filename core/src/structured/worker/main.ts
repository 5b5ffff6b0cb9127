/**
 * A thread for the schemas of callers. What compiling them, or their patterns, takes is nobody's to foresee: here it
 * can be ended.
 */

import { parentPort } from 'node:worker_threads'
import { ready } from '../protocol.js'
import type { Job, Reply } from '../protocol.js'
import { answerTo } from './jobs.js'

const reply = (job: Job): Reply => {
  try {
    return { problem: answerTo(job) }
  } catch (thrown) {
    return { thrown }
  }
}

parentPort?.on('message', (job: Job) => parentPort?.postMessage(reply(job)))
parentPort?.postMessage(ready)

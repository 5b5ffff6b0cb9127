/**
 * A thread for the schemas of callers. What compiling them, or their patterns, takes is nobody's to foresee: here it
 * can be ended.
 */

import { parentPort } from 'node:worker_threads'
import { ready } from '../protocol.js'
import type { Job, Reply } from '../protocol.js'
import { answerTo } from './jobs.js'

parentPort?.on('message', (job: Job) => parentPort?.postMessage({ problem: answerTo(job) } satisfies Reply))
parentPort?.postMessage(ready)

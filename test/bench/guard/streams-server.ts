/** A scripted model behind policy and HTTP adapter, in a process that tells what memory it took. */

import { createKernel } from '@sallyport/kernel'
import { answerQuestions } from '../adapter/worker.js'
import { streamsConfig } from './streams-config.js'

await createKernel(streamsConfig(Number(process.env['BENCH_PORT']), Number(process.env['BENCH_STREAMS'])))

/** Bytes: the most that was resident so far. */
answerQuestions(() => Promise.resolve([process.resourceUsage().maxRSS * 1024]))

/** A process that does nothing: what its event loop waits for is the machine, not work. */

import { answerQuestions } from '../adapter/worker.js'
import { lag, watch } from './loop-lag.js'
import type { LagQuestion } from './loop-lag.js'

const answers: Readonly<Record<LagQuestion, () => number[]>> = { watch, lag }

answerQuestions((question: LagQuestion) => Promise.resolve(answers[question]()))

/**
 * Work for a thread: the schemas of callers. What compiling them, or their patterns, takes is nobody's to foresee: there
 * it can be ended.
 */

import type { ThreadModule } from '../../threads/protocol.js'
import type { Job, Problem } from '../protocol.js'
import { answerTo } from './jobs.js'

const work: ThreadModule<undefined, Job, Problem | undefined> = () => answerTo

export default work

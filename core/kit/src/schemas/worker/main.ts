/**
 * Work for a thread: the schemas of callers. Nobody can foresee how long it takes to compile or apply them, and in a
 * thread it can be stopped.
 */

import type { ThreadModule } from '../../threads/protocol.js'
import type { Job, Problem } from '../protocol.js'
import { runJob } from './jobs.js'

const work: ThreadModule<undefined, Job, Problem | undefined> = () => runJob

export default work

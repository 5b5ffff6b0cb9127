/**
 * Work for a thread: the schemas of callers. Nobody can foresee how long it takes to compile or apply them, and in a
 * thread it can be stopped.
 */

import type { ThreadModule } from '../../threads/protocol.js'
import type { Job, SchemaProblem } from '../protocol.js'
import { runJob } from './jobs.js'

const work: ThreadModule<undefined, Job, SchemaProblem | undefined> = () => runJob

export default work

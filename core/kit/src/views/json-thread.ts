/** Work for a thread: whether a long text is JSON. */

import type { ThreadModule } from '../threads/protocol.js'
import { isJson } from './json-text.js'

const module: ThreadModule<undefined, string, boolean> = () => isJson

export default module

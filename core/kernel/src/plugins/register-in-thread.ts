/** Threads import this module first when the process has registered the import hooks. */

import { registerImportHooks } from './register.js'

registerImportHooks()

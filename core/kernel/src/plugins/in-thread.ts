/** Threads import this module first when the process has the plugin loader. */

import { registerPluginLoader } from './register.js'

registerPluginLoader()

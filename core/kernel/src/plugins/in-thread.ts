/** What a thread imports first when the process has the plugin loader. */

import { registerPluginLoader } from './register.js'

registerPluginLoader()

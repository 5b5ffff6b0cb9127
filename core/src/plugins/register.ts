import { realpathSync } from 'node:fs'
import { createRequire, register } from 'node:module'
import { fileURLToPath } from 'node:url'
import { importInThreads } from '../threads/imports.js'

let registered = false

/**
 * Makes plugins importable in this process: TypeScript files, and `@sallyport/core` from any place. The hooks belong to
 * the process, not to a kernel: Node takes them once and keeps them. They make every later import about twice as slow.
 * @param moduleUrl the plugin, if nothing is to happen where it can be imported without
 */
export const registerPluginLoader = (moduleUrl?: string): void => {
  if (registered || (moduleUrl !== undefined && needsNoHooks(moduleUrl))) return
  registered = true
  register('./hooks.js', import.meta.url)
  // threads import what was imported here: plugins in TypeScript, and those outside of any package
  importInThreads(new URL('./in-thread.js', import.meta.url).href)
}

/** The running core. By its URL, because it imports this file. */
export const ownIndex = new URL('../index.js', import.meta.url).href

/** JavaScript that finds the running core by itself. */
const needsNoHooks = (moduleUrl: string): boolean => {
  if (!/\.m?js$/.test(moduleUrl)) return false
  try {
    return realpathSync(createRequire(moduleUrl).resolve('@sallyport/core')) === realpathSync(fileURLToPath(ownIndex))
  } catch {
    return false
  }
}

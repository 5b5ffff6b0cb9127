import { realpathSync } from 'node:fs'
import { createRequire, register } from 'node:module'
import { fileURLToPath } from 'node:url'
import { importInThreads } from '@sallyport/kit/threads'

let registered = false

/**
 * Makes plugins importable in this process: TypeScript files, and the packages that authors use from any place. The hooks belong to
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

const ownCore = import.meta.resolve('@sallyport/core')

/** JavaScript that finds the running core by itself. */
const needsNoHooks = (moduleUrl: string): boolean => {
  if (!/\.m?js$/.test(moduleUrl)) return false
  try {
    return realpathSync(createRequire(moduleUrl).resolve('@sallyport/core')) === realpathSync(fileURLToPath(ownCore))
  } catch {
    return false
  }
}

import { realpathSync } from 'node:fs'
import { createRequire, register } from 'node:module'
import { fileURLToPath } from 'node:url'
import { importInThreads } from '@sallyport/kit/threads'

let registered = false

/**
 * Registers the hooks that make plugins importable in this process, from any directory and in TypeScript. They stay for
 * the life of the process, and slow down every later import.
 * @param moduleUrl a plugin's module; nothing is registered if it can be imported without the hooks
 */
export const registerImportHooks = (moduleUrl?: string): void => {
  if (registered || (moduleUrl !== undefined && needsNoHooks(moduleUrl))) return
  registered = true
  register('./hooks.js', import.meta.url)
  // Threads import the same plugins, so they need the hooks, too.
  importInThreads(new URL('./register-in-thread.js', import.meta.url).href)
}

const ownCore = import.meta.resolve('@sallyport/core')

/** Whether the module is JavaScript, and Node finds the running core from its directory. */
const needsNoHooks = (moduleUrl: string): boolean => {
  if (!/\.m?js$/.test(moduleUrl)) return false
  try {
    return realpathSync(createRequire(moduleUrl).resolve('@sallyport/core')) === realpathSync(fileURLToPath(ownCore))
  } catch {
    return false
  }
}

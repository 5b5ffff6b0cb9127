/**
 * URLs of modules. This file imports nothing, so that the kernel's import hooks can add one before any thread starts.
 */
const modules = new Set<string>()

/** Makes every thread that starts from now on import a module before its first job. */
export const importInThreads = (module: string): void => void modules.add(module)

export const importsOfThreads = (): readonly string[] => [...modules]

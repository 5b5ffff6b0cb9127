/** URLs of modules, by themselves: whoever runs a plugin loader or the like adds one before the threads begin. */
const modules = new Set<string>()

/** Has every thread that begins from now on import a module before its first job. */
export const importInThreads = (module: string): void => void modules.add(module)

export const importsOfThreads = (): readonly string[] => [...modules]

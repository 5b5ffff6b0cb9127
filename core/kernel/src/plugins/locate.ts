import { existsSync, readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { failure, systemCode } from '@sallyport/core'
import { nearest } from '@sallyport/kit/text'
import { registerImportHooks } from './register.js'
import { writeSearch } from './specifiers.js'

const isPath = (use: string) => /^(\.{0,2}[\\/]|[A-Za-z]:[\\/])/.test(use)
const isUrl = (use: string) => /^[a-z][a-z\d+.-]+:/i.test(use)
const packageName = /^(@[a-z\d~-][\w.~-]*\/)?[a-z\d~-][\w.~-]*(\/.+)?$/i

/** The URL of a plugin's module. @throws plugin_invalid */
export const locate = (use: string | URL, baseDirectory: string): string => {
  const plugin = String(use)
  if (isPath(plugin)) return locateFile(pathToFileURL(resolve(baseDirectory, plugin)), plugin)
  if (isUrl(plugin)) return locateUrl(plugin)
  if (packageName.test(plugin)) return locatePackage(plugin, baseDirectory)
  throw failure('plugin_invalid', { plugin, problem: 'is neither a package name nor a path: begin a path with ./' })
}

const locateUrl = (plugin: string): string => {
  if (plugin.startsWith('file:') && URL.canParse(plugin)) return locateFile(new URL(plugin), plugin)
  throw failure('plugin_invalid', { plugin, problem: 'plugins are not fetched: use a path, a file: URL or a package' })
}

const moduleFile = /\.m?[jt]s$/

const locateFile = (url: URL, plugin: string): string => {
  // The message has the absolute path: programs often mistake the directory that relative paths start from.
  if (!existsSync(url))
    throw failure('plugin_invalid', { plugin, problem: `there is no such file: ${fileURLToPath(url)}` })
  if (!moduleFile.test(url.pathname))
    throw failure('plugin_invalid', { plugin, problem: 'name the file itself, which ends in .ts, .mts, .js or .mjs' })
  return url.href
}

/** Plugins next to the core are found from any configuration. */
const coreDirectory = import.meta.dirname

const locatePackage = (plugin: string, baseDirectory: string): string => {
  const directories = [baseDirectory, coreDirectory].map((directory) => pathToFileURL(`${directory}/`).href)
  return resolveWithRequire(plugin, directories) ?? resolveWithHooks(plugin, directories, baseDirectory)
}

/** Resolves as `require` does, which is enough for most packages and needs no hooks. */
const resolveWithRequire = (plugin: string, directories: readonly string[]): string | undefined => {
  for (const directory of directories) {
    try {
      return pathToFileURL(createRequire(directory).resolve(plugin)).href
    } catch {
      // The package is absent, or exports for `import` only: the next directory may have it, or the hooks find it.
    }
  }
  return undefined
}

const resolveWithHooks = (plugin: string, from: readonly string[], baseDirectory: string): string => {
  registerImportHooks()
  try {
    const url = import.meta.resolve(writeSearch({ name: plugin, from }))
    if (existsSync(new URL(url))) return url
    throw new Error(`${url} does not exist`)
  } catch (cause) {
    throw failure('plugin_invalid', { plugin, problem: packageProblem(plugin, baseDirectory, cause) }, { cause })
  }
}

const packageProblem = (plugin: string, baseDirectory: string, cause: unknown): string => {
  if (systemCode(cause) === 'ERR_PACKAGE_PATH_NOT_EXPORTED')
    return 'the package has no such entry: use the name of the package alone'
  const directories = [baseDirectory, coreDirectory].flatMap(packageDirectories)
  if (isInstalled(plugin, directories)) return 'the package is there but not its code: build it, or install it again'
  if (existsSync(resolve(baseDirectory, plugin)))
    return `there is no package of that name: for the file, write ./${plugin}`
  const [scope = '', name = ''] = plugin.split('/')
  const suggestion = nearest(name, packagesOfScope(scope, directories))
  if (suggestion !== undefined) return `is not installed: did you mean "${scope}/${suggestion}"?`
  // A registry may have a stranger's package of that name.
  if (plugin.startsWith('@sallyport/')) {
    const pack = `npm run pack -- <folder> ${plugin.replace('@sallyport/', '')}`
    return `is not installed: make its package in Sallyport's repository (${pack}), then npm install <folder>/*.tgz`
  }
  return `is not installed: npm install ${plugin}`
}

/** The directories in which Node looks for packages from a directory, the nearest first. */
export const packageDirectories = (directory: string): readonly string[] => {
  const parent = dirname(directory)
  return [resolve(directory, 'node_modules'), ...(parent === directory ? [] : packageDirectories(parent))]
}

const isInstalled = (plugin: string, directories: readonly string[]) =>
  directories.some((directory) => existsSync(resolve(directory, plugin, 'package.json')))

/** Unscoped names of the scope's installed packages; packages without a scope are too many to suggest one. */
const packagesOfScope = (scope: string, directories: readonly string[]): readonly string[] => {
  if (!scope.startsWith('@')) return []
  return directories
    .map((directory) => resolve(directory, scope))
    .filter((directory) => existsSync(directory))
    .flatMap((directory) => readdirSync(directory))
}

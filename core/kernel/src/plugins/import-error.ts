/** Explains, to a plugin's users and authors, why its module could not be imported. */

import { readFile } from 'node:fs/promises'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { nearest } from '@sallyport/kit/text'
import { systemCode } from '@sallyport/core'
import { isOwnPackage } from './specifiers.js'
import { firstSyntaxError } from './syntax-error.js'

const shorten = (pathOrUrl: string): string => {
  const path = pathOrUrl.startsWith('file:') ? fileURLToPath(pathOrUrl) : pathOrUrl
  const fromHere = relative(process.cwd(), path)
  return fromHere.startsWith('..') ? path : fromHere
}

export const explainImportError = async (error: unknown, url: string): Promise<string> => {
  if (!(error instanceof Error)) return `threw an error while it was being imported: ${String(error)}`
  const explained = missingImport(error, url) ?? (await missingExport(error))
  if (explained !== undefined) return explained
  return error.name === 'SyntaxError' ? syntaxProblem(error, url) : evaluationProblem(error, url)
}

const missingImport = (error: Error, url: string): string | undefined => {
  const [, missing, importer] =
    /^Cannot find (?:package|module) '([^']+)' imported from (.+)$/m.exec(error.message) ?? []
  if (systemCode(error) !== 'ERR_MODULE_NOT_FOUND' || missing === undefined) return undefined
  const file = shorten(importer ?? url)
  if (missing.startsWith('/') || missing.startsWith('file:'))
    return `${file} imports ${shorten(missing)}, which does not exist`
  return `${file} imports the package "${missing}", which is not installed: npm install ${missing}`
}

/** Explains an import such as `import { chatt } from '@sallyport/core'`. */
const missingExport = async (error: Error): Promise<string | undefined> => {
  const [, module, name] =
    /^The requested module '([^']+)' does not provide an export named '([^']+)'/.exec(error.message) ?? []
  if (module === undefined || name === undefined) return undefined
  const names = isOwnPackage(module) ? Object.keys((await import(module)) as object) : []
  const suggestion = nearest(name, names)
  const [, importer] = /^((?:file:\/\/)?\/\S+?):\d+$/m.exec(error.stack ?? '') ?? []
  const problem = `imports "${name}" from "${module}", which has no export of that name`
  const sentence = importer === undefined ? problem : `${shorten(importer)} ${problem}`
  return suggestion === undefined ? sentence : `${sentence}: did you mean "${suggestion}"?`
}

const syntaxProblem = async (error: Error, url: string): Promise<string> => {
  const location = locationIn(error) ?? (await locationOfSyntaxError(url))
  if (!/import statement outside a module|Unexpected token 'export'/.test(error.message))
    return `${location ?? shorten(url)}: ${firstLine(error.message)}`
  return `${shorten(url)} is read as CommonJS: name it .mjs, or put "type": "module" into its package.json`
}

/** Finds the line of a syntax error with esbuild: Node prints it only for uncaught errors. */
const locationOfSyntaxError = async (url: string): Promise<string | undefined> => {
  const { transform } = await import('esbuild')
  const source = await readFile(new URL(url), 'utf8')
  const syntaxError = await transform(source, { logLevel: 'silent' }).then(() => undefined, firstSyntaxError)
  return syntaxError && `${shorten(url)}:${syntaxError.line}:${syntaxError.column}`
}

const evaluationProblem = (error: Error, url: string): string =>
  `${locationIn(error) ?? shorten(url)}: threw an error while it was being imported: ${firstLine(error.message)}`

const firstLine = (text: string) => text.split('\n', 1)[0] ?? ''

/** The first location in a file that the message or stack names. */
const locationIn = ({ stack = '', message }: Error): string | undefined => {
  const trace = `${message}\n${stack}`
  const [, file, position] = /(?:^|[\s(])((?:file:\/\/)?\/[^\s()]+?):(\d+(?::\d+)?)\)?$/m.exec(trace) ?? []
  return file === undefined ? undefined : `${shorten(file)}:${position}`
}

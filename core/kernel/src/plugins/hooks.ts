/** Hooks of Node's loader thread, which make plugins importable from any directory and in TypeScript. */

import { readFile } from 'node:fs/promises'
import type { LoadHook, ResolveHook, ResolveHookContext, ResolveFnOutput } from 'node:module'
import { fileURLToPath } from 'node:url'
import type { TransformOptions } from 'esbuild'
import { isOwnPackage, readSearch } from './specifiers.js'
import { firstSyntaxError } from './syntax-error.js'

const isTypeScript = (url: string | undefined) =>
  url !== undefined && url.startsWith('file:') && /\.m?ts$/.test(new URL(url).pathname)

type Next = (specifier: string, context?: Partial<ResolveHookContext>) => ResolveFnOutput | Promise<ResolveFnOutput>

/** The result of the first attempt that succeeds. @throws the error of the first attempt when all fail */
const firstOf = async (attempts: readonly (() => ReturnType<Next>)[]): Promise<ResolveFnOutput> => {
  const errors: unknown[] = []
  for (const attempt of attempts) {
    try {
      return await attempt()
    } catch (error) {
      errors.push(error)
    }
  }
  throw errors[0]
}

/** Resolves the kernel's own packages (to the running copy), search specifiers, and `.js` imports in TypeScript. */
export const resolve: ResolveHook = async (specifier, context, next) => {
  if (isOwnPackage(specifier))
    return firstOf(
      [import.meta.url, context.parentURL].map((parentURL) => () => next(specifier, { ...context, parentURL })),
    )
  const search = readSearch(specifier)
  if (search) return firstOf(search.from.map((parentURL) => () => next(search.name, { ...context, parentURL })))
  const mayMeanTypeScript = isTypeScript(context.parentURL) && /^\.{1,2}\/.*\.m?js$/.test(specifier)
  if (!mayMeanTypeScript) return next(specifier, context)
  const source = specifier.replace(/js$/, 'ts')
  return firstOf([specifier, source].map((each) => () => next(each, context)))
}

/** tsyringe needs TypeScript's experimental decorators. */
const transformation = {
  loader: 'ts',
  format: 'esm',
  target: 'node20',
  sourcemap: 'inline',
  logLevel: 'silent',
  tsconfigRaw: { compilerOptions: { experimentalDecorators: true, verbatimModuleSyntax: false } },
} as const satisfies TransformOptions

export const load: LoadHook = async (url, context, next) => {
  if (!isTypeScript(url)) return next(url, context)
  const file = fileURLToPath(url)
  const { transform } = await import('esbuild')
  const source = await readFile(file, 'utf8')
  const { code } = await transform(source, { ...transformation, sourcefile: file }).catch((failure: unknown) => {
    const first = firstSyntaxError(failure)
    throw first ? new SyntaxError(`${first.message}\n    at ${file}:${first.line}:${first.column}`) : failure
  })
  return { format: 'module', source: code, shortCircuit: true }
}

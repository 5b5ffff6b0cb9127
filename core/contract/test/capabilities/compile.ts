import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'

/** The package's directory, seen from the compiled test. */
export const packageRoot = join(dirname(fileURLToPath(import.meta.url)), '../../..')

const options = (): ts.CompilerOptions => {
  const { config } = ts.readConfigFile(join(packageRoot, '../../tsconfig.base.json'), (path) =>
    ts.sys.readFile(path),
  ) as {
    config: unknown
  }
  return {
    ...ts.parseJsonConfigFileContent(config, ts.sys, packageRoot).options,
    noEmit: true,
    composite: false,
    declaration: false,
    declarationMap: false,
    types: ['node'],
    typeRoots: [join(packageRoot, '../../node_modules/@types')],
    noUnusedLocals: false,
  }
}

/**
 * Compiles snippets as if each were a file in `test/capabilities`, with the repository's options.
 * @returns the errors of each, by its name; an empty list where it compiles
 */
export const errorsOf = (snippets: Readonly<Record<string, string>>): Map<string, string[]> => {
  const compilerOptions = options()
  const host = ts.createCompilerHost(compilerOptions)
  const fileOf = new Map(
    Object.keys(snippets).map((name, index) => [name, join(packageRoot, 'test/capabilities', `snippet-${index}.ts`)]),
  )
  const texts = new Map([...fileOf].map(([name, file]) => [file, snippets[name] ?? '']))
  const [getSourceFile, fileExists, readFile] = [
    host.getSourceFile.bind(host),
    host.fileExists.bind(host),
    host.readFile.bind(host),
  ]
  host.getSourceFile = (file, ...rest) => {
    const text = texts.get(file)
    return text === undefined ? getSourceFile(file, ...rest) : ts.createSourceFile(file, text, ts.ScriptTarget.ES2022)
  }
  host.fileExists = (file) => texts.has(file) || fileExists(file)
  host.readFile = (file) => texts.get(file) ?? readFile(file)
  const program = ts.createProgram([...texts.keys()], compilerOptions, host)
  return new Map(
    [...fileOf].map(([name, file]) => {
      const source = program.getSourceFile(file)
      const diagnostics = [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)]
      return [name, diagnostics.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))]
    }),
  )
}

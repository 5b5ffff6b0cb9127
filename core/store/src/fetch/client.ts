import { execFile } from 'node:child_process'
import { systemCode } from '@sallyport/core'
import type { Environment } from '@sallyport/kit/installation'

/** How a registry's own client ended; `output` is the end of what it wrote, for the log. */
type ClientOutcome = 'done' | 'not-installed' | { readonly exit: string; readonly output: string }

const maxOutput = 4 << 20
const loggedOutput = 2_000
/** The exit code of shells and version managers for a program that does not exist. */
const notFoundExit = 127
/** Credentials inside the URL of a registry. */
const userInformation = /\/\/[^/@\s]+@/g

export interface ClientCall {
  readonly program: string
  readonly args: readonly string[]
  readonly cwd: string
  readonly environment: Environment
  readonly signal: AbortSignal
}

/** Runs a program, without a shell. */
export const runClient = ({ program, args, cwd, environment, signal }: ClientCall): Promise<ClientOutcome> =>
  new Promise((resolve, reject) => {
    const options = { cwd, env: { ...environment }, signal, maxBuffer: maxOutput, windowsHide: true }
    execFile(program, args, options, (error, stdout, stderr) => {
      if (signal.aborted) reject(signal.reason as Error)
      else if (!error) resolve('done')
      else if (isMissing(error, stderr)) resolve('not-installed')
      else {
        const exit = systemCode(error) ?? (error.signal ? `signal ${error.signal}` : `exit ${error.code ?? '?'}`)
        const output = `${stdout}\n${stderr}`.trim().slice(-loggedOutput).replace(userInformation, '//…@')
        resolve({ exit, output })
      }
    })
  })

const isMissing = (error: Error & { code?: unknown }, stderr: string): boolean =>
  systemCode(error) === 'ENOENT' || error.code === notFoundExit || /No module named pip\b/.test(stderr)

const allowedVariables = [
  /^(PATH|HOME|USER|LOGNAME|LANG|LANGUAGE|LC_\w+|TZ)$/,
  /^(SystemRoot|ComSpec|PATHEXT|USERPROFILE|APPDATA|LOCALAPPDATA|ProgramData)$/i,
  /^(https?|no|all)_proxy$/i,
  /^(SSL_CERT_FILE|SSL_CERT_DIR|REQUESTS_CA_BUNDLE|CURL_CA_BUNDLE|NODE_EXTRA_CA_CERTS|NETRC|XDG_CONFIG_\w+)$/,
  /^(PYENV|ASDF|MISE|VOLTA|NVM|FNM)_\w+$/,
]

/**
 * The environment of a client: how to find itself, the network and its registry, but no keys of the server, and nothing
 * that would change what it does (`npm start` passes its own settings on to every npm below it).
 */
export const clientEnvironment = (environment: Environment, own: readonly RegExp[]): Environment => {
  const allowed = [...allowedVariables, ...own]
  return Object.fromEntries(Object.entries(environment).filter(([name]) => allowed.some((each) => each.test(name))))
}

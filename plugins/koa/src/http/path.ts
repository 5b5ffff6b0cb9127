import { nearest } from '@sallyport/kit/text'

/**
 * The path of a request target, for routing: without its query, and as if the base URL had been written without its
 * trailing slash (`//path` and `/v1//path` are `/path` and `/v1/path`). A proxy's absolute target counts as its path.
 */
export const routingPath = (target: string): string => {
  const [path = '/'] = target.replace(/^https?:\/\/[^/?#]*/i, '').split(/[?#]/, 1)
  return path.replace(/^\/+(?:(v[12])\/+)?/, (_, version: string | undefined) => (version ? `/${version}/` : '/'))
}

/**
 * As much of a path that leads nowhere as shows what was wrong with it: the steps that some route has, or nearly. The
 * others may be anything: a key, somebody's name.
 * @param paths of all routes
 */
export const shownPathAmong = (paths: readonly string[]): ((path: string) => string) => {
  const known = new Set(paths.flatMap((path) => path.split('/')).filter((step) => /^[\w-]+$/.test(step)))
  const shown = (step: string) => (step === '' || known.has(step) || nearest(step, known) !== undefined ? step : '…')
  return (path) => path.split('/', maxSteps).map(shown).join('/')
}

const maxSteps = 12

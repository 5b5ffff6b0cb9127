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
 * Makes a function that masks an unknown path for the log. It keeps the segments that occur in a route, or nearly, and
 * hides the others, which may be a key or somebody's name.
 * @param paths the paths of all routes
 */
export const pathMask = (paths: readonly string[]): ((path: string) => string) => {
  const knownSteps = new Set(paths.flatMap((path) => path.split('/')).filter((step) => /^[\w-]+$/.test(step)))
  const shown = (step: string) =>
    step === '' || knownSteps.has(step) || nearest(step, knownSteps) !== undefined ? step : '…'
  return (path) => path.split('/', maxSteps).map(shown).join('/')
}

const maxSteps = 12

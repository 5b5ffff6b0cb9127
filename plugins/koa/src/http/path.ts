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
  const knownSegments = new Set(paths.flatMap((path) => path.split('/')).filter((segment) => /^[\w-]+$/.test(segment)))
  const mask = (segment: string) =>
    segment === '' || knownSegments.has(segment) || nearest(segment, knownSegments) !== undefined ? segment : '…'
  return (path) => path.split('/', maxSegments).map(mask).join('/')
}

const maxSegments = 12

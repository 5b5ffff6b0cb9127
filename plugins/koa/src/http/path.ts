/**
 * The path of a request target, for routing: without its query, and as if the base URL had been written without its
 * trailing slash (`//path` and `/v1//path` are `/path` and `/v1/path`). A proxy's absolute target counts as its path.
 */
export const routingPath = (target: string): string => {
  const [path = '/'] = target.replace(/^https?:\/\/[^/?#]*/i, '').split(/[?#]/, 1)
  return path.replace(/^\/+(v1\/+)?/, (_, version: string | undefined) => (version ? '/v1/' : '/'))
}

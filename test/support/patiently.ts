import type { RunningServer } from './server.js'

/** Asks as a client does: where the server says when to try again, it tries again. */
export const patiently = async (server: RunningServer, path: string, body: object, tries = 5): Promise<Response> => {
  const response = await server.post(path, body)
  const retryAfter = response.headers.get('retry-after')
  if (response.status !== 503 || retryAfter === null || tries === 0) return response
  await new Promise((resolve) => setTimeout(resolve, Number(retryAfter) * 1000))
  return patiently(server, path, body, tries - 1)
}

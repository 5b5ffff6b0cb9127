/**
 * Aborts the controller with the signal, until what it returns is called. AbortSignal.any would keep a reference to each
 * controller in the signal, and takes several times the memory.
 */
export const abortWith = (source: AbortSignal, controller: AbortController): (() => void) => {
  const abort = () => controller.abort(source.reason)
  if (source.aborted) abort()
  source.addEventListener('abort', abort, { once: true })
  return () => source.removeEventListener('abort', abort)
}

import { open, rm, stat } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseDigest } from '../digests.js'
import type { HubSource, PlannedFile } from '../planned-file.js'
import type { Transfer } from '../progress.js'
import type { Hub } from './hub.js'
import type { HubResponse } from './hub-connection.js'
import { SourceError } from '../problems.js'

/** Failures in a row, without a byte between them, after which a download is given up. */
const maxFailures = 5

interface HubDownload {
  readonly hub: Hub
  readonly source: HubSource
  readonly file: Pick<PlannedFile, 'size' | 'digest'>
  /** The path to write to; what the file holds already is taken as its beginning. */
  readonly part: string
  /** Milliseconds before the second attempt; doubled for each one after it. */
  readonly retryDelay: number
  readonly transfer: Transfer
  readonly signal: AbortSignal
}

/**
 * Fetches a file, going on where a cut connection (of this or an earlier process) left off. No validator is sent along:
 * the content is known by its digest, which the caller checks in the end.
 * @returns whether there was a beginning of an earlier process
 * @throws SourceError; a resumable one leaves what has arrived
 */
export const downloadFromHub = async (download: HubDownload): Promise<boolean> => {
  const { part, file, retryDelay, signal } = download
  const resumed = (await sizeOf(part)) > 0
  for (let failures = 0; ;) {
    const before = await sizeOf(part)
    if (before > 0 && before === file.size) return resumed
    try {
      await continueDownload(download, before)
      return resumed
    } catch (error) {
      signal.throwIfAborted()
      if (!(error instanceof SourceError) || !error.resumable) throw error
      failures = (await sizeOf(part)) > before ? 1 : failures + 1
      if (failures >= maxFailures) throw error
      await sleep(retryDelay * 2 ** (failures - 1), undefined, { signal })
    }
  }
}

const sizeOf = async (path: string): Promise<number> => (await stat(path).catch(() => undefined))?.size ?? 0

const continueDownload = async (download: HubDownload, have: number): Promise<void> => {
  const { hub, source, file, part, signal } = download
  const response = await hub.open(source, have, signal)
  const offset = offsetOf(response, have)
  const announced = parseDigest(response.announced['x-linked-etag'])
  const contradicts = announced?.algorithm === file.digest.algorithm && announced.hex !== file.digest.hex
  if (offset === undefined || contradicts) {
    response.body.destroy()
    if (contradicts) throw new SourceError(`has another file: it announces ${announced.hex}, not ${file.digest.hex}`)
    await rm(part, { force: true })
    throw new SourceError('cannot go on with what is left of an earlier download', true)
  }
  const written = await write(response, offset, download)
  if (file.size !== undefined && written < file.size) throw new SourceError('cut the connection', true)
}

/** The offset at which the response's body belongs; undefined where it fits nowhere. */
const offsetOf = ({ status, headers }: HubResponse, have: number): number | undefined => {
  if (status === 200) return 0
  const [, start] = /^bytes (\d+)-/.exec(headers['content-range'] ?? '') ?? []
  return status === 206 && Number(start) === have ? have : undefined
}

/** @returns the size of the file afterwards */
const write = async (
  response: HubResponse,
  offset: number,
  { part, file: { size }, transfer, signal }: HubDownload,
): Promise<number> => {
  const handle = await open(part, offset ? 'r+' : 'w')
  let position = offset
  try {
    for await (const chunk of chunksOf(response, signal)) {
      if (size !== undefined && position + chunk.length > size)
        throw new SourceError(`sends more than the ${size} bytes that it should`)
      await handle.write(chunk, 0, chunk.length, position)
      position += chunk.length
      transfer.update(position)
    }
    return position
  } finally {
    response.body.destroy()
    await handle.close()
  }
}

async function* chunksOf({ body }: HubResponse, signal: AbortSignal): AsyncGenerator<Buffer> {
  try {
    yield* body as AsyncIterable<Buffer>
  } catch (error) {
    signal.throwIfAborted()
    throw new SourceError('cut the connection', true, error)
  }
}

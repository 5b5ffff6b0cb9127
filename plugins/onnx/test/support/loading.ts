import { join } from 'node:path'
import type { Capability, LoadedModel } from '@sallyport/core'
import { silentLogger } from '@sallyport/core'
import { useTemporaryDirectory } from '@sallyport/stand-ins/temporary'
import { OnnxBackend } from '../../src/backend.js'
import type { OnnxOptions } from '../../src/options.js'

export type FileContents = Readonly<Record<string, Uint8Array | string | object>>

/** Writes files into a folder that is removed after the tests; returns their paths by name. Call inside `describe`. */
export const temporaryFiles = (): ((files: FileContents) => Record<string, string>) => {
  const { write } = useTemporaryDirectory()
  let folders = 0
  return (files) => {
    const folder = String((folders += 1))
    const paths = Object.entries(files).map(([name, content]) => [name, write(join(folder, name), contentOf(content))])
    return Object.fromEntries(paths) as Record<string, string>
  }
}

export const contentOf = (content: FileContents[string]) =>
  typeof content === 'string' || content instanceof Uint8Array ? content : JSON.stringify(content)

export const defaults: OnnxOptions = {
  threads: 1,
  optimization: 'all',
  executionProvider: 'cpu',
  batchTokens: 1024,
  queue: 1000,
  prefixes: {},
}

/** A backend in this process. */
export const backendOf = (files: Readonly<Record<string, string>>, options: Partial<OnnxOptions> = {}): OnnxBackend =>
  new OnnxBackend({ id: 'tiny', files, options: { ...defaults, ...options } }, silentLogger)

export interface Loaded extends LoadedModel {
  readonly service: <Service extends object>(capability: Capability<Service>) => Service
  readonly stop: () => Promise<void>
}

export const load = async (
  files: Readonly<Record<string, string>>,
  options: Partial<OnnxOptions> = {},
): Promise<Loaded> => {
  const backend = backendOf(files, options)
  const loaded = await backend.load()
  return {
    ...loaded,
    stop: () => backend.stop(),
    service: <Service extends object>(capability: Capability<Service>): Service => {
      const found = loaded.provides.find((provision) => provision.capability.name === capability.name)
      if (!found) throw new Error(`the model does not provide ${capability.name}`)
      return found.service as Service
    },
  }
}

import type { Config, RequiredFiles, Logger, CatalogueFacts } from '@sallyport/core'

/** The source of models' files: the model store, or the replacement of a program that embeds the kernel. */
export interface ModelFileSource {
  /**
   * Makes the files of a model available on this machine.
   * @param reference a catalogue id, `hf:owner/repository[@revision][/file]`, or a path
   * @returns local paths by name, of which `model` is the weights file, and the model's entry in a catalogue, if any
   * @throws model_files, insufficient_storage
   */
  resolve(
    reference: string,
    options: {
      readonly signal: AbortSignal
      readonly wanted?: RequiredFiles
      readonly formats?: readonly string[]
      /** Called while files are fetched. @param total bytes of all that are fetched, where known */
      readonly onProgress?: (arrived: number, total: number | undefined) => void
    },
  ): Promise<{
    readonly files: Readonly<Record<string, string>>
    readonly catalogueEntry?: CatalogueFacts & { readonly description: string }
  }>
  /**
   * What is known of a model while neither its files are read nor the network is used: digests of the files, or what
   * else changes with them, and its entry in a catalogue.
   * @returns undefined where nothing is known of its files
   * @throws model_files for a reference that is invalid or unknown
   */
  describe?(
    reference: string,
    options: { readonly wanted?: RequiredFiles; readonly formats?: readonly string[] },
  ): Promise<
    | {
        readonly digests: readonly string[]
        readonly catalogueEntry?: CatalogueFacts & { readonly description: string }
      }
    | undefined
  >
}

/** Opens the model store. Kernels that need none do not import its code, and so start faster. */
export const openStore = async (config: Config, logger: Logger, progress = false): Promise<ModelFileSource> => {
  const { ModelStore } = await import('@sallyport/store')
  return ModelStore.fromConfig(config, { logger, progress })
}

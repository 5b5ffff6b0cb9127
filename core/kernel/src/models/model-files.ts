import type { Config, RequiredFiles, Logger, CatalogueFacts } from '@sallyport/core'

/** Where the kernel gets the files of models: the model store, or what an embedding program has instead. */
export interface ModelFiles {
  /**
   * Makes the files of a model available on this machine.
   * @param reference a catalogue id, `hf:owner/repository[@revision]/file`, or a path
   * @returns local paths by name; `model` is the weights' file. And what a catalogue says of the model, if one does
   * @throws model_files, insufficient_storage
   */
  resolve(
    reference: string,
    options: { readonly signal: AbortSignal; readonly wanted?: RequiredFiles; readonly formats?: readonly string[] },
  ): Promise<{
    readonly files: Readonly<Record<string, string>>
    readonly entry?: CatalogueFacts & { readonly description: string }
  }>
}

/**
 * The model store. Its code is loaded when a model has files: kernels whose models have none start without its
 * clients.
 */
export const openStore = async (config: Config, logger: Logger, progress = false): Promise<ModelFiles> => {
  const { ModelStore } = await import('@sallyport/store')
  return ModelStore.fromConfig(config, { logger, progress })
}

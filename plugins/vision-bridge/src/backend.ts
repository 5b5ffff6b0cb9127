import { chat, imageClassification, inject, injectable, kernel, modelSpec, otherModel, provide } from '@sallyport/core'
import type { Kernel, LoadedModel, ModelBackend, ModelSpec } from '@sallyport/core'
import type { VisionBridgeOptions } from './options.js'
import { VisionChat } from './vision-chat.js'

/** Composed of two other models, which it reaches through the kernel: what goes to them is guarded. */
@injectable()
export class VisionBridgeBackend implements ModelBackend {
  constructor(
    @inject(modelSpec) private readonly spec: ModelSpec<VisionBridgeOptions>,
    @inject(kernel) private readonly models: Kernel,
  ) {}

  load(): Promise<LoadedModel> {
    const { id, options } = this.spec
    const service = new VisionChat(
      otherModel(this.models, this.spec, 'chat', chat),
      otherModel(this.models, this.spec, 'classifier', imageClassification),
      options.threshold,
    )
    const description = `${options.chat}, told by ${options.classifier} what pictures show; ${id} sees no more than that.`
    return Promise.resolve({
      provides: [provide(chat, service)],
      descriptor: { description, features: { image: true } },
    })
  }
}

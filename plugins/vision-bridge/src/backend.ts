import { chat, imageClassification, inject, injectable, kernel, modelSpec, otherModel, provide } from '@sallyport/core'
import type { Kernel, LoadedDescriptor, LoadedModel, ModelBackend, ModelSpec } from '@sallyport/core'
import type { VisionBridgeOptions } from './options.js'
import { VisionChat } from './vision-chat.js'

/** The models that the options name. @throws model_invalid */
export const modelsOf = (spec: ModelSpec<VisionBridgeOptions>, models: Kernel) => ({
  chat: otherModel(models, spec, 'chat', chat),
  classifier: otherModel(models, spec, 'classifier', imageClassification),
})

/** Uses two other models, which it reaches through the kernel, so their requests are guarded. */
@injectable()
export class VisionBridgeBackend implements ModelBackend {
  constructor(
    @inject(modelSpec) private readonly spec: ModelSpec<VisionBridgeOptions>,
    @inject(kernel) private readonly models: Kernel,
  ) {}

  load(): Promise<LoadedModel> {
    const { chat: model, classifier } = modelsOf(this.spec, this.models)
    const service = new VisionChat(model, classifier, this.spec.options.threshold)
    return Promise.resolve({ provides: [provide(chat, service)], descriptor: this.descriptor() })
  }

  /** The features of the chat model, and images. They are looked up at each listing, as it may be loaded later. */
  private descriptor(): LoadedDescriptor {
    const { id, options } = this.spec
    const chatModel = () => this.models.describe(chat, options.chat)
    return {
      description: `${options.chat}, which learns from ${options.classifier} what images show; ${id} sees no more than that.`,
      get features() {
        return { ...chatModel()?.features, image: true }
      },
      get contextLength() {
        return chatModel()?.contextLength
      },
    }
  }
}

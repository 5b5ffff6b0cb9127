import { chat, imageClassification, inject, injectable, modelSpec, otherModel, provide } from '@sallyport/core'
import { kernel as kernelToken } from '@sallyport/core'
import type { Kernel, LoadedDescriptor, LoadedModel, ModelBackend, ModelSpec } from '@sallyport/core'
import type { VisionBridgeOptions } from './options.js'
import { VisionChat } from './vision-chat.js'

/** The models that the options name. @throws model_invalid */
export const modelsOf = (spec: ModelSpec<VisionBridgeOptions>, kernel: Kernel) => ({
  chat: otherModel(kernel, spec, 'chat', chat),
  classifier: otherModel(kernel, spec, 'classifier', imageClassification),
})

/** Uses two other models, which it reaches through the kernel, so their requests are guarded. */
@injectable()
export class VisionBridgeBackend implements ModelBackend {
  constructor(
    @inject(modelSpec) private readonly spec: ModelSpec<VisionBridgeOptions>,
    @inject(kernelToken) private readonly kernel: Kernel,
  ) {}

  load(): Promise<LoadedModel> {
    const { chat: model, classifier } = modelsOf(this.spec, this.kernel)
    const service = new VisionChat(model, classifier, this.spec.options.threshold)
    return Promise.resolve({ provides: [provide(chat, service)], descriptor: this.descriptor() })
  }

  /** The features of the chat model, and images. They are looked up at each listing, as it may be loaded later. */
  private descriptor(): LoadedDescriptor {
    const { id, options } = this.spec
    const chatModel = () => this.kernel.describe(chat, options.chat)
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

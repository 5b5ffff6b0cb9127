import { chat, failure, imageClassification, inject, injectable, kernel, modelSpec, provide } from '@sallyport/core'
import type { Capability, Kernel, LoadedModel, ModelBackend, ModelSpec } from '@sallyport/core'
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
    this.check('chat', chat)
    this.check('classifier', imageClassification)
    const service = new VisionChat(
      () => this.models.get(chat, options.chat),
      () => this.models.get(imageClassification, options.classifier),
      options.threshold,
    )
    const description = `${options.chat}, told by ${options.classifier} what pictures show; ${id} sees no more than that.`
    return Promise.resolve({
      provides: [provide(chat, service)],
      descriptor: { description, features: { image: true } },
    })
  }

  private check(option: 'chat' | 'classifier', capability: Capability): void {
    const { id, options } = this.spec
    const others = this.models.models(capability).filter((model) => model.id !== id)
    const named = options[option]
    if (others.some((model) => model.id === named || model.aliases.includes(named))) return
    const available = others.map((model) => model.id).join(', ') || 'none'
    const problem = `its option ${option} names "${named}", which is no other model with ${capability.name} (there are: ${available})`
    throw failure('model_invalid', { model: id, problem })
  }
}

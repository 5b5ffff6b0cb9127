import { failure, withRenamedField } from '@sallyport/core'
import type {
  Call,
  ChatCapability,
  ChatChunk,
  ChatMessage,
  ChatRequest,
  ImageClassificationCapability,
  ImagePart,
  Served,
} from '@sallyport/core'
import { noteOf, nothingRecognisedAnswer, nothingRecognisedProblem } from './notes.js'
import type { Label } from './notes.js'

/** How many labels of an image are requested. Above a threshold of 0.5 there is at most one. */
const labelsPerImage = 5

/**
 * Replaces the images of a conversation by notes on what they show. Where nothing is recognised in the images of the
 * last message, it answers that itself, because a small model would make something up.
 */
export class VisionChat implements ChatCapability {
  /** Each call looks the models up, as they may be loaded later and come back after a crash. */
  constructor(
    private readonly chat: () => Served<ChatCapability>,
    private readonly classifier: () => Served<ImageClassificationCapability>,
    private readonly threshold: number,
  ) {}

  /**
   * @throws what the two models throw, with the place of the image in this request; unsupported where nothing was
   * recognised and the answer must be JSON or a tool call
   */
  async *stream(request: ChatRequest, call: Call): AsyncGenerator<ChatChunk> {
    const messages: ChatMessage[] = []
    let isUnrecognised = false
    for (const [index, message] of request.messages.entries()) {
      const images = imagesOf(message)
      const labels = await this.recognise(images, index, call)
      isUnrecognised = images.length > 0 && labels.every((list) => list.length === 0)
      messages.push(images.length > 0 ? withNote(message, labels) : message)
    }
    if (isUnrecognised) yield* answerUnrecognised(request)
    else yield* this.chat().stream({ ...request, messages }, call)
  }

  /** The labels of each image that reach the threshold. */
  private async recognise(images: readonly LocatedImage[], message: number, call: Call): Promise<Label[][]> {
    const found: Label[][] = []
    for (const { image, mediaType, position } of images) {
      const field = `messages[${message}].content[${position}].image`
      const { labels } = await this.classifier()
        .classify({ images: [{ image, mediaType }], top: labelsPerImage }, call)
        .catch((error: unknown) => {
          throw withRenamedField(error, (name) => name.replace('images[0].image', field))
        })
      found.push((labels[0] ?? []).filter(({ score }) => score >= this.threshold))
    }
    return found
  }
}

/** An image, and its position among the parts of its message. */
type LocatedImage = ImagePart & { readonly position: number }

const imagesOf = ({ content }: ChatMessage): LocatedImage[] =>
  typeof content === 'string'
    ? []
    : content.flatMap((part, position) => (part.type === 'image' ? [{ ...part, position }] : []))

/** The message with a note as its first part instead of its images. */
const withNote = ({ content, ...rest }: ChatMessage, labels: readonly (readonly Label[])[]): ChatMessage => {
  const texts = typeof content === 'string' ? [] : content.filter((part) => part.type === 'text')
  return { ...rest, content: [{ type: 'text', text: `${noteOf(labels)}\n\n` }, ...texts] }
}

/** Answers that nothing was recognised. @throws unsupported where the answer must be JSON or a tool call */
function* answerUnrecognised({ responseFormat, toolChoice = 'auto' }: ChatRequest): Generator<ChatChunk> {
  const mayBeText = (responseFormat?.type ?? 'text') === 'text' && (toolChoice === 'auto' || toolChoice === 'none')
  if (!mayBeText) throw failure('unsupported', { field: 'messages', problem: nothingRecognisedProblem })
  yield { delta: nothingRecognisedAnswer }
  yield { finish: 'stop', usage: { promptTokens: 0, completionTokens: 0 } }
}

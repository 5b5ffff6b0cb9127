import { failure, renamedField } from '@sallyport/core'
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
import { noteOf, nothingRecognised, notRecognised } from './notes.js'
import type { Label } from './notes.js'

/** Labels that are looked at, of each image: one at most is as probable as one half. */
const labelsPerImage = 5

/**
 * Puts what the images of a conversation show before the words that came with them. Where nothing is recognised in
 * those of the last message, it says so itself: a small model that is asked about an image without knowing anything
 * of it makes something up.
 */
export class VisionChat implements ChatCapability {
  /** The models are asked for at each call: they may be loaded later, and come back after a crash. */
  constructor(
    private readonly chat: () => Served<ChatCapability>,
    private readonly classifier: () => Served<ImageClassificationCapability>,
    private readonly threshold: number,
  ) {}

  /** @throws what the two models throw; invalid_request for images that cannot be read */
  async *stream(request: ChatRequest, call: Call): AsyncGenerator<ChatChunk> {
    const messages: ChatMessage[] = []
    let blind = false
    for (const [index, message] of request.messages.entries()) {
      const images = imagesOf(message)
      const labels = await this.recognise(images, index, call)
      blind = images.length > 0 && labels.every((list) => list.length === 0)
      messages.push(images.length > 0 ? described(message, labels) : message)
    }
    if (blind) yield* sayNothing(request)
    else yield* this.chat().stream({ ...request, messages }, call)
  }

  /** For each image the labels that are probable enough. */
  private async recognise(images: readonly PlacedImage[], message: number, call: Call): Promise<Label[][]> {
    const found: Label[][] = []
    for (const { part, place } of images) {
      const { image, mediaType } = part
      const { labels } = await this.classifier()
        .classify({ images: [{ image, mediaType }], top: labelsPerImage }, call)
        .catch((error: unknown) => {
          throw renamedField(error, (field) =>
            field.replace('images[0].image', `messages[${message}].content[${place}].image`),
          )
        })
      found.push((labels[0] ?? []).filter(({ score }) => score >= this.threshold))
    }
    return found
  }
}

interface PlacedImage {
  readonly part: ImagePart
  /** Among the parts of the message. */
  readonly place: number
}

const imagesOf = ({ content }: ChatMessage): PlacedImage[] =>
  typeof content === 'string' ? [] : content.flatMap((part, place) => (part.type === 'image' ? [{ part, place }] : []))

/** The message without its images, which its first part tells of. */
const described = ({ content, ...rest }: ChatMessage, labels: readonly (readonly Label[])[]): ChatMessage => {
  const texts = typeof content === 'string' ? [] : content.filter((part) => part.type === 'text')
  return { ...rest, content: [{ type: 'text', text: `${noteOf(labels)}\n\n` }, ...texts] }
}

/** An answer in our own words, where words may be the answer. */
function* sayNothing({ responseFormat, toolChoice = 'auto' }: ChatRequest): Generator<ChatChunk> {
  const free = (responseFormat?.type ?? 'text') === 'text' && (toolChoice === 'auto' || toolChoice === 'none')
  if (!free) throw failure('unsupported', { field: 'messages', problem: notRecognised })
  yield { delta: nothingRecognised }
  yield { finish: 'stop', usage: { promptTokens: 0, completionTokens: 0 } }
}

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

/** Labels that are looked at, of each picture: one at most is as probable as one half. */
const labelsPerPicture = 5

/**
 * Puts what the pictures of a conversation show before the words that came with them. Where nothing is recognised in
 * those of the last message, it says so itself: a small model that is asked about a picture without knowing anything
 * of it makes something up.
 */
export class VisionChat implements ChatCapability {
  /** The models are asked for at each call: they may be loaded later, and come back after a crash. */
  constructor(
    private readonly chat: () => Served<ChatCapability>,
    private readonly classifier: () => Served<ImageClassificationCapability>,
    private readonly threshold: number,
  ) {}

  /** @throws what the two models throw; invalid_request for pictures that cannot be read */
  async *stream(request: ChatRequest, call: Call): AsyncGenerator<ChatChunk> {
    const messages: ChatMessage[] = []
    let blind = false
    for (const [index, message] of request.messages.entries()) {
      const pictures = picturesOf(message)
      const labels = await this.recognise(pictures, index, call)
      blind = pictures.length > 0 && labels.every((list) => list.length === 0)
      messages.push(pictures.length > 0 ? described(message, labels) : message)
    }
    if (blind) yield* sayNothing(request)
    else yield* this.chat().stream({ ...request, messages }, call)
  }

  /** For each picture the labels that are probable enough. */
  private async recognise(pictures: readonly Placed[], message: number, call: Call): Promise<Label[][]> {
    const found: Label[][] = []
    for (const { part, place } of pictures) {
      const { image, mediaType } = part
      const { labels } = await this.classifier()
        .classify({ images: [{ image, mediaType }], top: labelsPerPicture }, call)
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

interface Placed {
  readonly part: ImagePart
  /** Among the parts of the message. */
  readonly place: number
}

const picturesOf = ({ content }: ChatMessage): Placed[] =>
  typeof content === 'string' ? [] : content.flatMap((part, place) => (part.type === 'image' ? [{ part, place }] : []))

/** The message without its pictures, which its first part tells of. */
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

import { failure } from '@sallyport/core'
import type { Tensor, TensorSignature } from '@sallyport/core'
import { toFloat16 } from '@sallyport/kit/numbers'
import { bytesOf, toFloat32 } from '../encoder/rows.js'
import type { Session } from '../session/ort-session.js'
import { oneAtATime } from '../batching/one-at-a-time.js'
import { maxQueuedImages, refuseImage } from './image-error.js'
import { prepareImage } from './prepare-image.js'
import type { Planes } from './prepare-image.js'
import { readPreprocessing } from './preprocessor-config.js'
import type { Preprocessing } from './preprocessor-config.js'

/** An image with its field in the request, such as `inputs[3].image`. */
export interface LocatedImage {
  readonly image: Uint8Array
  readonly field: string
}

const pixelInput = 'pixel_values'
/** Inputs for texts, in a file that holds both towers. */
const textInputs = ['input_ids', 'attention_mask', 'token_type_ids', 'position_ids']

/** The part of a two-tower model that embeds images. */
export class ImageTower {
  /**
   * Embeds images; the vectors are not normalised. Images are evaluated one at a time; tenants take turns.
   * @throws invalid_request, naming the image's field; overloaded; the signal's reason
   */
  readonly embed = oneAtATime(maxQueuedImages, (image: LocatedImage) => this.vectorOf(image))

  private constructor(
    private readonly session: Session,
    private readonly preprocessing: Preprocessing,
    /** The name of the output that is read. */
    readonly output: string,
  ) {}

  static hasImageInput(session: Pick<Session, 'inputs'>): boolean {
    return session.inputs.some(({ name }) => name === pixelInput)
  }

  /**
   * @param model its id
   * @param session of the file that has the input `pixel_values`
   * @param preprocessor the parsed `preprocessor_config.json`; CLIP's values apply where there is none
   * @throws model_invalid
   */
  static load(model: string, session: Session, preprocessor?: unknown): ImageTower {
    const preprocessing = readPreprocessing(model, preprocessor)
    const problem = inputProblem(session, preprocessing)
    if (problem !== undefined) throw failure('model_invalid', { model, problem })
    const output = imageOutput(session.outputs)
    if (!output) throw failure('model_invalid', { model, problem: missingOutput })
    return new ImageTower(session, preprocessing, output.name)
  }

  /** The dimensions of a vector. */
  async dimensions(): Promise<number> {
    return (await this.evaluate(this.dummyPixels())).length
  }

  /** Pixels for a file that holds both towers and evaluates texts. */
  dummyPixels(): Record<string, Tensor> {
    const size = fixedSize(this.preprocessing) ?? { width: 224, height: 224 }
    return { [pixelInput]: this.tensor({ ...size, values: new Float32Array(3 * size.width * size.height) }) }
  }

  private async vectorOf({ image, field }: LocatedImage): Promise<Float32Array> {
    const planes = await prepareImage(image, this.preprocessing).catch((error: unknown) => refuseImage(error, field))
    return this.evaluate({ [pixelInput]: this.tensor(planes) })
  }

  private async evaluate(pixels: Readonly<Record<string, Tensor>>): Promise<Float32Array> {
    const inputs = { ...dummyTextInputs(this.session.inputs), ...pixels }
    const output = (await this.session.run(inputs, [this.output]))[this.output]
    if (!output) throw new Error('the vision model returned no vector')
    return toFloat32(output)
  }

  private tensor({ width, height, values }: Planes): Tensor {
    const isHalf = this.session.inputs.some(({ name, type }) => name === pixelInput && type === 'FP16')
    const data = bytesOf(isHalf ? toFloat16(values) : values)
    return { type: isHalf ? 'FP16' : 'FP32', shape: [1, 3, height, width], data }
  }
}

/** The size of the preprocessed images, if it is the same for all. */
const fixedSize = ({ crop, resize }: Preprocessing) => crop ?? (resize && 'width' in resize ? resize : undefined)

const inputProblem = ({ inputs }: Session, preprocessing: Preprocessing): string | undefined => {
  const pixels = inputs.find(({ name }) => name === pixelInput)
  const unknown = inputs.find(({ name }) => name !== pixelInput && !textInputs.includes(name))
  if (unknown) return `its vision model has an unknown input ${unknown.name}`
  if (!pixels) return `its vision model has no input ${pixelInput}`
  if (!['FP32', 'FP16'].includes(pixels.type))
    return `its vision model takes ${pixels.type} pixels, which is not supported`
  const { height = -1, width = -1 } = fixedSize(preprocessing) ?? {}
  const made = [1, 3, height, width]
  const { shape } = pixels
  if (shape.length === 4 && shape.every((size, axis) => size < 0 || made[axis] === size)) return undefined
  return `its vision model takes images of the shape [${shape.join(', ')}], but preprocessor_config.json makes [${made.join(', ')}]`
}

const missingOutput = 'its vision model has no output image_embeds with one row per image'

/** The output with one row per image. */
const imageOutput = (outputs: readonly TensorSignature[]): TensorSignature | undefined =>
  outputs.find(({ name }) => name === 'image_embeds') ??
  outputs.find(({ name, shape }) => shape.length === 2 && (name === 'pooler_output' || outputs.length === 1))

/** A text of one token, for a file that holds both towers and evaluates images. */
const dummyTextInputs = (inputs: readonly TensorSignature[]): Record<string, Tensor> =>
  Object.fromEntries(
    inputs
      .filter(({ name }) => name !== pixelInput)
      .map(({ name, type }) => {
        const one = name === 'attention_mask' ? 1 : 0
        const data = type === 'INT64' ? BigInt64Array.of(BigInt(one)) : Int32Array.of(one)
        return [name, { type, shape: [1, 1], data: bytesOf(data) }]
      }),
  )

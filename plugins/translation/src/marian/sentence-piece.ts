import { failure } from '@sallyport/core'

export interface ScoredPiece {
  readonly piece: string
  /** Logarithm of its probability. */
  readonly score: number
}

/** Kinds of piece: ordinary ones, and those that users defined. */
const usual = new Set([1, 4])
const unigram = 1

/** The pieces of a SentencePiece model (`source.spm`). @throws model_invalid */
export const readSentencePieces = (model: string, file: Uint8Array): ScoredPiece[] => {
  const pieces: ScoredPiece[] = []
  try {
    for (const { field, bytes } of fields(file)) {
      if (field === 1) {
        const { piece, score, kind } = pieceOf(bytes)
        if (usual.has(kind)) pieces.push({ piece, score })
      }
      if (field === 2 && [...fields(bytes)].some((one) => one.field === 3 && one.value !== unigram))
        throw failure('model_invalid', { model, problem: 'its source.spm is no unigram model' })
    }
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause
    throw failure('model_invalid', { model, problem: 'its source.spm is damaged' }, { cause })
  }
  if (pieces.length === 0) throw failure('model_invalid', { model, problem: 'its source.spm has no pieces' })
  return pieces
}

const pieceOf = (message: Uint8Array): ScoredPiece & { readonly kind: number } => {
  let [piece, score, kind] = ['', 0, 1]
  for (const { field, bytes, value } of fields(message)) {
    if (field === 1) piece = new TextDecoder().decode(bytes)
    if (field === 2) score = new DataView(bytes.buffer, bytes.byteOffset, 4).getFloat32(0, true)
    if (field === 3) kind = value
  }
  return { piece, score, kind }
}

interface Field {
  readonly field: number
  /** Of a message, a text or a number of fixed width. */
  readonly bytes: Uint8Array
  /** Of a varint. */
  readonly value: number
}

const none = new Uint8Array(0)

/** The fields of a message of protocol buffers. @throws RangeError where it is cut off */
function* fields(message: Uint8Array): Generator<Field> {
  let at = 0
  const varint = (): number => {
    let [value, factor] = [0, 1]
    for (;;) {
      const byte = message[at++]
      if (byte === undefined) throw new RangeError('the message is cut off')
      value += (byte & 127) * factor
      factor *= 128
      if (byte < 128) return value
    }
  }
  const take = (length: number): Uint8Array => {
    if (at + length > message.length) throw new RangeError('the message is cut off')
    at += length
    return message.subarray(at - length, at)
  }
  while (at < message.length) {
    const key = varint()
    const [field, wire] = [Math.floor(key / 8), key % 8]
    if (wire === 0) yield { field, bytes: none, value: varint() }
    else if (wire === 2) yield { field, bytes: take(varint()), value: 0 }
    else if (wire === 5 || wire === 1) yield { field, bytes: take(wire === 5 ? 4 : 8), value: 0 }
    else throw new RangeError(`no field has the wire type ${wire}`)
  }
}

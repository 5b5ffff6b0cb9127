import protobuf from 'protobufjs/light.js'
import { invalidModel } from './files.js'

export interface ScoredPiece {
  readonly piece: string
  /** Logarithm of its probability. */
  readonly score: number
}

/** The part of `sentencepiece_model.proto` that is read. */
interface ModelProto {
  readonly pieces: readonly (ScoredPiece & { readonly type: number })[]
  readonly trainerSpec?: { readonly modelType: number }
}

/** Enum values of the format: two types of pieces, and the unigram type of models. */
const kinds = { normal: 1, userDefined: 4, unigram: 1 }

const kind = (id: number) => ({ type: 'int32', id, options: { default: 1 } })

const modelProto = protobuf.Root.fromJSON({
  nested: {
    ModelProto: {
      fields: { pieces: { rule: 'repeated', type: 'Piece', id: 1 }, trainerSpec: { type: 'TrainerSpec', id: 2 } },
    },
    Piece: { fields: { piece: { type: 'string', id: 1 }, score: { type: 'float', id: 2 }, type: kind(3) } },
    TrainerSpec: { fields: { modelType: kind(3) } },
  },
}).lookupType('ModelProto')

/** The pieces of a SentencePiece model (`source.spm`). @throws model_invalid */
export const readSentencePieces = (model: string, file: Uint8Array): ScoredPiece[] => {
  const { pieces, trainerSpec } = decoded(model, file)
  const textPieces = pieces
    .filter(({ type }) => type === kinds.normal || type === kinds.userDefined)
    .map(({ piece, score }) => ({ piece, score }))
  if (trainerSpec && trainerSpec.modelType !== kinds.unigram)
    throw invalidModel(model, 'its source.spm is not a unigram model')
  if (textPieces.length === 0) throw invalidModel(model, 'its source.spm has no pieces')
  return textPieces
}

const decoded = (model: string, file: Uint8Array): ModelProto => {
  try {
    return modelProto.decode(file) as protobuf.Message & ModelProto
  } catch (cause) {
    throw invalidModel(model, 'its source.spm is damaged', cause)
  }
}

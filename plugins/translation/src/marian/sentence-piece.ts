import protobuf from 'protobufjs/light.js'
import { failure } from '@sallyport/core'

export interface ScoredPiece {
  readonly piece: string
  /** Logarithm of its probability. */
  readonly score: number
}

/** What is read of `sentencepiece_model.proto`. */
interface ModelProto {
  readonly pieces: readonly (ScoredPiece & { readonly type: number })[]
  readonly trainerSpec?: { readonly modelType: number }
}

/** The numbers of ordinary pieces, of those that users defined, and of unigram models. */
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
  const usual = pieces
    .filter(({ type }) => type === kinds.normal || type === kinds.userDefined)
    .map(({ piece, score }) => ({ piece, score }))
  if (trainerSpec && trainerSpec.modelType !== kinds.unigram) throw invalid(model, 'is no unigram model')
  if (usual.length === 0) throw invalid(model, 'has no pieces')
  return usual
}

const decoded = (model: string, file: Uint8Array): ModelProto => {
  try {
    return modelProto.decode(file) as protobuf.Message & ModelProto
  } catch (cause) {
    throw invalid(model, 'is damaged', cause)
  }
}

const invalid = (model: string, problem: string, cause?: unknown) =>
  failure('model_invalid', { model, problem: `its source.spm ${problem}` }, { cause })

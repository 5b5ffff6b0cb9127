import 'reflect-metadata'

export { inject, injectable } from 'tsyringe'
export * from './capabilities/index.js'
export * from './errors/index.js'
export { didYouMean, nearest } from './config/nearest.js'
export * from './guard/policy.js'
export { mostPlaces, sumFindings } from './guard/findings.js'
export { inspectReadings, replaceInReadings } from './guard/inspect-readings.js'
export { inspectionsAtOnce, soundComparison, soundInspection, soundReplacement } from './guard/soundness.js'
export * from './kernel/kernel-api.js'
export * from './kernel/logger.js'
export * from './kernel/model.js'
export { namedModel, otherModel } from './kernel/other-model.js'
export * from './kernel/plugin.js'
export { findProgram } from './kernel/programs.js'
export type { OptionalProgram } from './kernel/programs.js'
export {
  announce,
  baseDirectory,
  home,
  kernel,
  logger,
  modelOpener,
  modelSpec,
  options,
  reportState,
} from './kernel/tokens.js'
export { collect, lastText, textOf, totalUsage } from './kernel/generation.js'
export type { Config, ConfigInput, ConfigOverride, OptionsOf } from './config/index.js'
export { mapBounded } from './async/map-bounded.js'
export * from './lists/index.js'
export { mergeStreams } from './async/merge-streams.js'
export { createKernel } from './kernel/create-kernel.js'
export { mapInTurns, Pacer } from './async/pacer.js'
export { Slots } from './async/slots.js'
export { untilAborted } from './async/until-aborted.js'
export type { KernelEnvironment } from './kernel/environment.js'
export type { ModelFiles } from './kernel/model-files.js'
export type { ModelOpener } from './kernel/opened-models.js'
export { isRecord } from './config/data.js'
export { alignColumns } from './cli/columns.js'
export { ownCommand } from './cli/own-command.js'
export { notAPicture, pictureFormat } from './pictures/picture-format.js'
export type { PictureFormat } from './pictures/picture-format.js'
export { childEnvironment } from './runner/child-environment.js'
export { OutputLines } from './runner/output-lines.js'
export { RestartPolicy } from './runner/restart-policy.js'
export { byteOfCharacter } from './text/byte-alphabet.js'
export { codePointOffsets, countCodePoints } from './text/code-points.js'
export { requireKnownTokens } from './text/known-tokens.js'
export { StopGate } from './text/stop-gate.js'
export { inOriginal, plainReading } from './text/reading/reading.js'
export type { PlainReading } from './text/reading/reading.js'
export { tokenSpans } from './text/token-spans.js'
export type { TokenPiece } from './text/token-spans.js'
export { fromFloat16, toFloat16, toHalf } from './vectors/float16.js'
export { normalised } from './vectors/normalised.js'
export type { Wanted, WantedFile } from './store/index.js'

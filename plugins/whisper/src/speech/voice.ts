/** Tells voice from other sound, frame by frame of one recording. */
export interface VoiceMeter {
  /** How probable it is that there is a voice in the frame, 0..1; frames come in their order. */
  measure(frame: Float32Array): Promise<number> | number
}

/** Where meters come from, one for each recording. */
export interface VoiceModel {
  start(): VoiceMeter
  release(): Promise<void>
}

/** Samples of a frame: 32 ms. */
export const frameSize = 512

/** Tells voice from other sound, frame by frame of one recording. */
export interface VoiceMeter {
  /** How probable it is that there is a voice in the frame, 0..1; frames come in their order. */
  measure(frame: Float32Array): Promise<number> | number
}

/** Makes a meter for each recording. */
export interface VoiceModel {
  start(): VoiceMeter
  release(): Promise<void>
}

/** Samples of a frame: 32 ms. */
export const frameSize = 512

/** Decibels below full scale under which nothing is taken for a voice. */
const quietest = -55
/** Decibels above the noise from which on it is. */
const above = 9
/** Decibels that the noise may rise in a frame. */
const rise = 0.05

/** Takes what is louder than the noise for a voice, in models without a file for voice activity. */
export const loudness: VoiceModel = {
  start: () => new LoudnessMeter(),
  release: () => Promise.resolve(),
}

class LoudnessMeter implements VoiceMeter {
  private noise = quietest

  measure(frame: Float32Array): number {
    const power = frame.reduce((sum, value) => sum + value * value, 0) / frame.length
    const level = 10 * Math.log10(power + 1e-10)
    this.noise = Math.min(level, this.noise + rise)
    return level > Math.max(quietest, this.noise + above) ? 1 : 0
  }
}

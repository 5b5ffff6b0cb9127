/** Voice activity detection for one recording, frame by frame. */
export interface VadStream {
  /** The probability of a voice in the frame, 0..1; frames must come in order. */
  voiceProbability(frame: Float32Array): Promise<number> | number
}

/** A model for voice activity detection, which starts a stream for each recording. */
export interface VadModel {
  start(): VadStream
  release(): Promise<void>
}

/** Samples of a frame: 32 ms. */
export const frameSize = 512

/** In decibels relative to full scale; quieter frames are not voice. */
const minDecibels = -55
/** Decibels above the noise from which a frame is voice. */
const noiseMargin = 9
/** Decibels by which the noise estimate may rise per frame. */
const maxNoiseRise = 0.05

/** Energy-based detection: frames that are louder than the noise count as voice. Used without a VAD model. */
export const energyVad: VadModel = {
  start: () => new EnergyStream(),
  release: () => Promise.resolve(),
}

class EnergyStream implements VadStream {
  private noise = minDecibels

  voiceProbability(frame: Float32Array): number {
    const power = frame.reduce((sum, value) => sum + value * value, 0) / frame.length
    const level = 10 * Math.log10(power + 1e-10)
    this.noise = Math.min(level, this.noise + maxNoiseRise)
    return level > Math.max(minDecibels, this.noise + noiseMargin) ? 1 : 0
  }
}

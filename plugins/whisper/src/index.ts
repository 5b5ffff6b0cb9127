import { definePlugin, transcription } from '@sallyport/core'
import { WhisperBackend } from './backend.js'
import { estimate, maxMemory } from './estimate.js'
import { optionsSchema, requiredFiles } from './options.js'

export type { WhisperOptions } from './options.js'

/** Speech to text. The native libraries are loaded in the models' own processes only. */
export default definePlugin({
  name: '@sallyport/whisper',
  backends: {
    whisper: {
      description: 'A Whisper model (ggml, or CTranslate2), run by onnxruntime on this machine.',
      options: optionsSchema,
      capabilities: [transcription],
      always: () => [transcription],
      class: WhisperBackend,
      files: requiredFiles,
      formats: ['.bin', '.ggml'],
      programs: [{ name: 'ffmpeg', without: 'only wav, aiff, mp3, flac, ogg and webm audio can be decoded' }],
      isolation: { memory: maxMemory },
      estimate,
    },
  },
})

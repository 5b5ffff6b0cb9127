import { transcription, silentLogger } from '@sallyport/core'
import type { TranscriptionCapability } from '@sallyport/core'
import { runConformance } from '@sallyport/testing'
import { WhisperBackend } from '../src/backend.js'
import { temporaryFolder } from './support/files.js'
import { loadOptions, parrotFiles } from './support/model.js'
import { weSpeaker } from './support/speaker-models.js'

const words = 'Alpha bravo. Charlie delta echo. Foxtrot golf.'.split(' ')

describe('a Whisper model', () => {
  const file = temporaryFolder()

  runConformance(transcription, {
    create: async () => {
      const files = { ...parrotFiles(file, words), speakers: file(weSpeaker(), 'speakers.onnx') }
      const spec = { id: 'parrot', files, options: loadOptions }
      const backend = new WhisperBackend(spec, silentLogger, file.folder)
      const { provides } = await backend.load()
      return { service: provides[0]?.service as TranscriptionCapability, dispose: () => backend.stop() }
    },
  })
})

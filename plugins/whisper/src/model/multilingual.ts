import { FileReader } from '../convert/reader.js'

/** English models have one token less. */
const multilingualVocabulary = 51_865

/** Whether a file in ggml's format knows more than English. */
export const isMultilingual = (path: string): boolean => {
  const reader = new FileReader(path)
  try {
    reader.uint32()
    return reader.uint32() >= multilingualVocabulary
  } finally {
    reader.close()
  }
}

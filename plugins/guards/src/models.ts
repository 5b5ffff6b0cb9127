import { WordPieces } from './heads/word-pieces.js'

/** The weights that come with the package. */
export const modelFolder = new URL('../../models/', import.meta.url)

/** Of the model `guard`; windows are measured with them. */
export const wordPieces = (): Promise<WordPieces> => WordPieces.load(new URL('guard/tokenizer.json', modelFolder))

export { tokenSpans as placed } from '@sallyport/core'
export type { TokenPiece as Piece } from '@sallyport/core'

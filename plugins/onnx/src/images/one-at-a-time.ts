import { Batcher } from '../batching/batcher.js'

/** Pictures that may wait, of all calls together. */
const queue = 1024

/** Evaluates pictures one after the other, in turns between callers: a decoded picture takes much memory. */
export const onePictureAtATime = <Picture, Result>(
  evaluate: (picture: Picture) => Promise<Result>,
): Batcher<Picture, Result> =>
  new Batcher<Picture, Result>({
    tokens: 1,
    items: 1,
    queue,
    sizeOf: () => 1,
    evaluate: (pictures) => Promise.all(pictures.map(evaluate)),
  })

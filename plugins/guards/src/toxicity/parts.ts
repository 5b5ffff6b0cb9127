import { WindowCutter } from '../heads/window-cutter.js'
import { Rules } from '../rules/match.js'
import { toxicFamilies } from '../rules/toxic/index.js'
import { wordPieces } from '../models.js'
import type { ToxicityOptions } from './options.js'
import { ToxicityReader } from './reader.js'

/** Plain data: a thread makes its reader of it, too. */
export type ReaderOptions = Pick<ToxicityOptions, 'window'>

export const readerOf = async ({ window }: ReaderOptions): Promise<ToxicityReader> =>
  new ToxicityReader(new Rules(toxicFamilies), new WindowCutter(await wordPieces(), window))

import { NGrams } from '../heads/ngrams.js'
import { WindowCutter } from '../heads/window-cutter.js'
import { modelFolder, wordPieces } from '../models.js'
import type { Family } from '../rules/family.js'
import { families } from '../rules/families/index.js'
import { Rules } from '../rules/match.js'
import type { InjectionOptions } from './options.js'
import { InjectionReader } from './reader.js'

/** Plain data: a thread makes its reader of it, too. */
export type ReaderOptions = Pick<InjectionOptions, 'model' | 'ngrams' | 'window' | 'ignore'>

export const familiesOf = ({ ignore }: Pick<ReaderOptions, 'ignore'>): readonly Family[] =>
  families.filter(({ id }) => !ignore.includes(id))

export const readerOf = async (options: ReaderOptions): Promise<InjectionReader> =>
  new InjectionReader({
    rules: new Rules(familiesOf(options)),
    ...(options.ngrams && { ngrams: await NGrams.load(modelFolder) }),
    ...(options.model && { cutter: new WindowCutter(await wordPieces(), options.window) }),
  })

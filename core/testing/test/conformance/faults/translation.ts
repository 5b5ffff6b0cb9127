import { translation, failure } from '@sallyport/core'
import type { TranslationCandidate, TranslationCapability } from '@sallyport/core'
import { references } from '../../reference/references.js'
import { plant } from '../plant.js'
import { answeredBy, askedOf, callFaults, calling, withoutMixing } from './calls.js'

const changeCandidates = (change: (candidates: TranslationCandidate[]) => TranslationCandidate[]) =>
  answeredBy<TranslationCapability, 'translate'>('translate', ({ candidates }) => ({ candidates: change(candidates) }))

const changeText = (change: (text: string) => string) =>
  changeCandidates((candidates) => candidates.map((one) => ({ ...one, translation: change(one.translation) })))

export const translationFaults = plant<TranslationCapability>({
  capability: translation,
  ...references.translation,
  faults: {
    ...callFaults<TranslationCapability, 'translate'>('translate', ({ candidates }, times) => ({
      candidates: candidates.map((one) => ({ ...one, translation: `${times}` })),
    })),
    ...withoutMixing(
      callFaults<TranslationCapability, 'pairs'>('pairs', (_, times) => ({
        pairs: [{ source: 'en', target: times % 2 ? 'fr' : 'it' }],
      })),
    ),
    'pairs are language tags, each pair once': answeredBy('pairs', ({ pairs }) => ({ pairs: [...pairs, ...pairs] })),
    'texts are translated': changeText((text) => text.replace(/Katze|Welt/, '…')),
    'candidates are best first, with scores in 0..1 and the name of the engine': changeCandidates((candidates) => [
      { translation: '', score: 0, model: 'other', status: 'failed' },
      ...candidates,
    ]),
    'an unknown pair is refused with unsupported, and the message lists what there is': calling(
      'translate',
      (inner) => async (request, call) => {
        if (request.source === 'tlh') throw failure('unsupported', { problem: 'this pair is unknown' })
        return inner(request, call)
      },
    ),
    'numbers, addresses and placeholders stay': changeText((text) => text.replaceAll('{{', '{')),
    'paragraphs stay': changeText((text) => text.replaceAll(/\n+/g, '\n')),
    'marks of headings and lists stay': changeText((text) => text.replaceAll(/^[#-] /gm, '')),
    'parts of a long text stay in their order': changeText((text) => text.split('\n\n').toReversed().join('\n\n')),
    'an empty text stays empty': askedOf('translate', (request) => ({ ...request, text: request.text || 'hello' })),
  },
})

import type { Vocabulary } from './vocabulary.js'

/** From OpenAI's `non_speech_tokens`: signs that annotate what is heard instead of writing it down. */
const signs = [
  ...Array.from('"#()*+/:;<=>@[\\]^_`{|}~「」『』'),
  ...'<< >> <<< >>> -- --- -( -[ (\' (" (( )) ((( ))) [[ ]] {{ }} ♪♪ ♪♪♪'.split(' '),
]
const music = Array.from('♩♪♫♬♭♮♯')

/** Tokens that transcripts never have: {@link signs} by themselves, and special ones. */
export const neverSaid = (vocabulary: Vocabulary): number[] => {
  const found = new Set<number>()
  for (const begin of [' -', " '"]) found.add(vocabulary.encode(begin)[0] ?? vocabulary.start)
  for (const sign of [...signs, ...music])
    for (const tokens of [vocabulary.encode(sign), vocabulary.encode(` ${sign}`)])
      if (tokens[0] !== undefined && (tokens.length === 1 || music.includes(sign))) found.add(tokens[0])
  const tasks = (
    ['transcribe', 'translate', 'startOfModel', 'startOfPrevious', 'noSpeech', 'noTimestamps'] as const
  ).map((name) => vocabulary.task(name))
  return [...found, vocabulary.start, ...tasks].sort((a, b) => a - b)
}

import { randomNumbers } from '@sallyport/kit/numbers'
/** What a scripted model says: numbered sentences, and among them secrets that must not be heard. */

/** A part of any secret: where one is heard, something has leaked. */
export const marks = /marked|4111|DE89|unspeakable/i

/** What blocks is said by each script whose number divides by this, in one of its sentences. */
const blockedEach = 4
const sentences = 12

const secrets = [
  (at: number) => `Write to marked.person${at}@marked-company.org about it`,
  () => 'The card has the number 4111 1111 1111 1111 on it',
  () => 'Pay to DE89 3704 0044 0532 0130 00 by tomorrow',
  (at: number) => `Everything is at https://marked-company.org/marked/${at} now`,
]

export const isBlocked = (script: number): boolean => script % blockedEach === 0

/**
 * What a script says. @param upToBlock only what stands before the sentence that blocks
 */
export const textOf = (script: number, upToBlock = false): string => {
  const random = randomNumbers(script)
  const blockAt = isBlocked(script) ? 2 + Math.floor(random() * (sentences - 2)) : sentences
  const said = Array.from({ length: sentences }, (_, at) => {
    if (at === blockAt) return 'You stupid idiot, this is unspeakable.'
    const secret = secrets[Math.floor(random() * secrets.length)]
    return random() < 0.5 && secret ? `${secret(at)}.` : `Sentence ${at} of script ${script} says nothing of anybody.`
  })
  const separator = random() < 0.5 ? ' ' : '\n'
  return said
    .slice(0, upToBlock ? blockAt : sentences)
    .map((sentence) => sentence + separator)
    .join('')
}

/** A text in pieces of 1 to so many characters, cut by chance: secrets are cut, too. */
export const piecesOf = (text: string, random: () => number, longest = 12): string[] => {
  const pieces: string[] = []
  for (let from = 0; from < text.length;) {
    const to = from + 1 + Math.floor(random() * longest)
    pieces.push(text.slice(from, to))
    from = to
  }
  return pieces
}

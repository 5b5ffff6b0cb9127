/** Composes Korean syllables from their parts, which no pattern knows (Unicode 16, section 3.12). */

const [firstSyllable, lastSyllable] = [0xac00, 0xd7a3]
const [firstLead, lastLead] = [0x1100, 0x1112]
const [firstVowel, lastVowel] = [0x1161, 0x1175]
/** One before the first tail, since a syllable may have none. */
const [noTail, lastTail] = [0x11a7, 0x11c2]
const vowels = lastVowel - firstVowel + 1
const tails = lastTail - noTail + 1

/** Whether a character continues a syllable: a vowel or a tail. */
export const isPartOfSyllable = (codePoint: number): boolean =>
  (codePoint >= firstVowel && codePoint <= lastVowel) || (codePoint > noTail && codePoint <= lastTail)

/** The syllable that a part makes of the UTF-16 code unit before it; undefined where it makes none. */
export const withPart = (before: number, part: number): number | undefined => {
  if (part <= lastVowel)
    return before >= firstLead && before <= lastLead
      ? firstSyllable + ((before - firstLead) * vowels + part - firstVowel) * tails
      : undefined
  const isOpen = before >= firstSyllable && before <= lastSyllable && (before - firstSyllable) % tails === 0
  return isOpen ? before + part - noTail : undefined
}

/** Makes the substitutes of a check whose policy restores. */

import type { ReplacedText, Vault } from '@sallyport/core'

/** Makes a realistic substitute that is none of the given ones, where it can. */
export type MakeFake = (avoid: readonly string[]) => Promise<string>

/** How many fakes are made until one is free. */
const attempts = 4

/**
 * The substitute of an original, which no other original of the request has.
 * @param makeFake absent where the method is `category`
 */
export const substituteFor = async (
  { type, original }: Pick<ReplacedText, 'type' | 'original'>,
  vault: Vault,
  makeFake?: MakeFake,
): Promise<string> => {
  const known = () => (vault.bySubstitute(original) ?? vault.find(type, original))?.substitute
  // Other calls of the request may add to the vault while a fake is made, but not between a question and what follows.
  const add = (substitute: string) => {
    vault.add({ type, original, substitute })
    return substitute
  }
  const avoid: string[] = []
  while (makeFake && known() === undefined && avoid.length < attempts) {
    const fake = await makeFake(avoid)
    if (known() === undefined && isDistinctive(fake) && vault.isFree(fake, original)) return add(fake)
    avoid.push(fake)
  }
  return known() ?? add(freePlaceholder(type, vault))
}

/** Whether texts seldom say the same by chance, as they do a number of two digits. */
export const isDistinctive = (text: string): boolean =>
  /\p{L}.*\p{L}.*\p{L}/su.test(text) || /(?:\p{N}.*){5}/su.test(text)

const freePlaceholder = (type: string, vault: Vault): string => {
  for (;;) {
    const placeholder = `<${type}_${vault.nextNumber(type)}>`
    if (vault.isFree(placeholder)) return placeholder
  }
}

/** Whether a word in lower case is written for a name with a capital: `will` is not `Will`. */
export const lacksCapital = (written: string, name: string): boolean =>
  /^\p{Ll}+$/u.test(written) && /^\p{Lu}/u.test(name)

/** Whether a substitute is a numbered category. */
export const isPlaceholder = (substitute: string): boolean => /^<[\w./-]+_\d+>$/.test(substitute)

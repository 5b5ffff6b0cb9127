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
  const known = vault.bySubstitute(original) ?? vault.find(type, original)
  if (known) return known.substitute
  const substitute = (makeFake && (await freeFake(original, vault, makeFake))) ?? freePlaceholder(type, vault)
  vault.add({ type, original, substitute })
  return substitute
}

const freeFake = async (original: string, vault: Vault, makeFake: MakeFake): Promise<string | undefined> => {
  const avoid: string[] = []
  while (avoid.length < attempts) {
    const fake = await makeFake(avoid)
    if (isDistinctive(fake) && vault.isFree(fake, original)) return fake
    avoid.push(fake)
  }
  return undefined
}

/** Whether answers seldom say the same by chance, as they do a number of two digits. */
const isDistinctive = (text: string): boolean => /\p{L}.*\p{L}.*\p{L}/su.test(text) || /(?:\p{N}.*){5}/su.test(text)

const freePlaceholder = (type: string, vault: Vault): string => {
  for (;;) {
    const placeholder = `<${type}_${vault.nextNumber(type)}>`
    if (vault.isFree(placeholder)) return placeholder
  }
}

/** Whether a substitute is a numbered category. */
export const isPlaceholder = (substitute: string): boolean => /^<[\w./-]+_\d+>$/.test(substitute)

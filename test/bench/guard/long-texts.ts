/** Texts of a length, of kinds that checks take long for. */

const filled = (length: number, line: (index: number) => string): string => {
  const lines: string[] = []
  for (let [index, total] = [0, 0]; total < length; index += 1) total += (lines[index] = line(index)).length
  return lines.join('').slice(0, length)
}

/** Of 16 digits, the last of which is Luhn's. */
const cardNumber = (index: number): string => {
  const digits = `4${String((index * 7919) % 1e14).padStart(14, '0')}`
  const sum = Array.from(digits, Number).reduce((total, digit, at) => {
    const counted = at % 2 === 0 ? digit * 2 : digit
    return total + (counted > 9 ? counted - 9 : counted)
  }, 0)
  return `${digits}${(10 - (sum % 10)) % 10}`
}

export const longTexts: Readonly<Record<string, (length: number) => string>> = {
  prose: (length) => filled(length, (index) => `The council met again on roads and bridges, item ${index}, and went. `),
  cards: (length) => filled(length, (index) => `${cardNumber(index)}\n`),
  addresses: (length) => filled(length, (index) => `user${index}@example${index % 97}.com\n`),
  markup: (length) => filled(length, (index) => `<p class='a'>R&amp;D said 'no' to item ${index}</p>\\n`),
}

/**
 * chrF, the F-score of character n-grams (Popović 2015, https://aclanthology.org/W15-3049), as sacrebleu computes it
 * (https://github.com/mjpost/sacrebleu, `sacrebleu/metrics/chrf.py`, signature
 * nrefs:1|case:mixed|eff:yes|nc:6|nw:0|space:no): over a corpus, from 0 to 100.
 */

const order = 6
const beta = 2

/** How often each n-gram occurs; white space is no character. */
const counts = (text: string, size: number): Map<string, number> => {
  const characters = Array.from(text.replaceAll(/\s/gu, ''))
  const found = new Map<string, number>()
  for (let start = 0; start + size <= characters.length; start++) {
    const gram = characters.slice(start, start + size).join('')
    found.set(gram, (found.get(gram) ?? 0) + 1)
  }
  return found
}

const sum = (values: Iterable<number>): number => Array.from(values).reduce((total, value) => total + value, 0)

/** @param pairs translations with their references */
export const chrf = (pairs: readonly { readonly translation: string; readonly reference: string }[]): number => {
  let [precision, recall, orders] = [0, 0, 0]
  for (let size = 1; size <= order; size++) {
    let [matches, translated, expected] = [0, 0, 0]
    for (const { translation, reference } of pairs) {
      const [hypothesis, wanted] = [counts(translation, size), counts(reference, size)]
      // sacrebleu counts what is translated only where the reference has n-grams, too
      if (wanted.size > 0) translated += sum(hypothesis.values())
      expected += sum(wanted.values())
      matches += sum([...hypothesis].map(([gram, count]) => Math.min(count, wanted.get(gram) ?? 0)))
    }
    if (translated === 0 || expected === 0) continue
    orders += 1
    precision += matches / translated
    recall += matches / expected
  }
  // of the means over the orders, and not the mean of the scores of each
  if (precision + recall === 0) return 0
  return ((100 / orders) * (1 + beta ** 2) * precision * recall) / (beta ** 2 * precision + recall)
}

/** Assertions about scores and labels. Scores have a tolerance: rounding depends on the other inputs of a batch. */

import assert from 'node:assert/strict'

/** Asserts that a score is a number in 0..1. */
export const assertScore = (score: number): void =>
  assert.ok(score >= 0 && score <= 1, `the score ${score} is not in 0..1`)

/** Asserts that two scores differ by less than 0.005. */
export const assertSameScore = (actual: number, expected: number): void =>
  assert.ok(Math.abs(actual - expected) < 0.005, `the scores ${actual} and ${expected} differ`)

export interface Labelled {
  label: string
  score: number
}

const byLabel = (a: Labelled, b: Labelled) => (a.label < b.label ? -1 : 1)

/** Asserts that two lists hold the same labels with the same scores. */
export const assertSameLabels = (actual: readonly Labelled[], expected: readonly Labelled[]): void => {
  const [one, other] = [[...actual].sort(byLabel), [...expected].sort(byLabel)]
  assert.deepEqual(
    one.map(({ label }) => label),
    other.map(({ label }) => label),
  )
  for (const [index, { score }] of one.entries()) assertSameScore(score, other[index]?.score ?? NaN)
}

/** Asserts that labels are best first, each with a name and a score in 0..1. */
export const assertBestFirst = (labels: readonly Labelled[]): void => {
  for (const [index, { label, score }] of labels.entries()) {
    assert.ok(label, 'a label has no name')
    assertScore(score)
    assert.ok(score <= (labels[index - 1]?.score ?? 1), 'the labels are not best first')
  }
}

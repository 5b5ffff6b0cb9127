/** Calibration of scores: Platt, Probabilistic Outputs for Support Vector Machines, 1999. */

export interface LabelledLogit {
  readonly logit: number
  readonly label: boolean
}

/** The probability of the label 1 is the logistic function of scale × logit + offset. */
export interface Calibration {
  readonly scale: number
  readonly offset: number
}

const logistic = (value: number): number => 1 / (1 + Math.exp(-value))

/** Detectors cannot tell scores from 0 and 1 below this. */
const leastScore = 1e-7

/** Finite at 0 and 1. */
export const logitOf = (score: number): number => {
  const bounded = Math.min(1 - leastScore, Math.max(leastScore, score))
  return Math.log(bounded / (1 - bounded))
}

/**
 * What a row of each label should be given. By Bayes’ rule with a uniform prior it is not quite 0 or 1, so that rows which
 * are told apart without a mistake still have a finite scale.
 */
export const targetsOf = (rows: readonly LabelledLogit[]): ((row: LabelledLogit) => number) => {
  const positives = rows.filter(({ label }) => label).length
  const [high, low] = [(positives + 1) / (positives + 2), 1 / (rows.length - positives + 2)]
  return ({ label }) => (label ? high : low)
}

/** The mean of the negative logarithm of the probability that rows of these targets have what they have. */
export const lossOf = (rows: readonly LabelledLogit[], { scale, offset }: Calibration): number => {
  const targetOf = targetsOf(rows)
  const losses = rows.map((row) => {
    const value = scale * row.logit + offset
    // log(1 + e^value) − target × value, without overflow
    return Math.max(value, 0) + Math.log1p(Math.exp(-Math.abs(value))) - targetOf(row) * value
  })
  return losses.reduce((sum, loss) => sum + loss, 0) / rows.length
}

const maxSteps = 100
/** The change of the loss below which the fit is done. */
const tolerance = 1e-12

/** Fits both by Newton’s method with step halving (Lin, Lin and Weng, Machine Learning 68, 2007). Rows have both labels. */
export const fitCalibration = (rows: readonly LabelledLogit[]): Calibration => {
  let [fitted, loss] = [{ scale: 0, offset: 0 }, lossOf(rows, { scale: 0, offset: 0 })]
  for (let step = 0; step < maxSteps; step += 1) {
    const next = stepFrom(rows, fitted, loss)
    const nextLoss = lossOf(rows, next)
    const gain = loss - nextLoss
    ;[fitted, loss] = [next, nextLoss]
    if (gain < tolerance) break
  }
  return fitted
}

/** A step of Newton’s method, halved until the loss does not grow. */
const stepFrom = (rows: readonly LabelledLogit[], from: Calibration, loss: number): Calibration => {
  const targetOf = targetsOf(rows)
  // a little on the diagonal keeps the matrix invertible where all logits are one
  let [a, b, c, scaleSlope, offsetSlope] = [1e-10, 0, 1e-10, 0, 0]
  for (const row of rows) {
    const probability = logistic(from.scale * row.logit + from.offset)
    const [error, weight] = [probability - targetOf(row), probability * (1 - probability)]
    a += weight * row.logit ** 2
    b += weight * row.logit
    c += weight
    scaleSlope += error * row.logit
    offsetSlope += error
  }
  const determinant = a * c - b * b
  const [scale, offset] = [
    (c * scaleSlope - b * offsetSlope) / determinant,
    (a * offsetSlope - b * scaleSlope) / determinant,
  ]
  for (let length = 1; length > 1e-9; length /= 2) {
    const next = { scale: from.scale - length * scale, offset: from.offset - length * offset }
    if (lossOf(rows, next) <= loss) return next
  }
  return from
}

import { expect } from 'chai'
import { requiredScore, scoreOfLabel } from '../src/classifiers/labels.js'

const scores = (given: Readonly<Record<string, number>>) =>
  Object.entries(given).map(([label, score]) => ({ label, score }))

describe('the score of a label', () => {
  for (const [name, given, wanted, score] of [
    ['its own', { injection: 0.3, safe: 0.7 }, 'injection', 0.3],
    ['in another case', { INJECTION: 0.3, SAFE: 0.7 }, 'injection', 0.3],
    ['under a name of a publisher', { malicious: 0.3, benign: 0.7 }, 'injection', 0.3],
    ['of the second of two without names', { LABEL_0: 0.7, LABEL_1: 0.3 }, 'toxicity', 0.3],
    ['with the class that stands beside it', { BENIGN: 0.09, INJECTION: 0.01, JAILBREAK: 0.9 }, 'injection', 0.9],
    ['alone, where others only explain it', { toxicity: 0.2, hate: 0.9 }, 'toxicity', 0.2],
    ['absent', { joy: 0.5, anger: 0.5 }, 'injection', undefined],
  ] as const)
    it(`is found: ${name}`, () => {
      expect(scoreOfLabel(scores(given), wanted)).to.equal(score)
    })
})

describe('the score of a label that a detector needs', () => {
  for (const [name, labels, problem] of [
    [
      'another is read as it is',
      ['INJECTION', 'Injection'],
      'its label "Injection" is read as another of its labels is',
    ],
    ['it is not there', ['joy', 'anger'], 'it has no label "injection" (its labels: joy, anger): set'],
    ['it is not among thousands', Array.from({ length: 5000 }, (_, id) => `l${id}`), 'l18, l19, …): set'],
  ] as const)
    it(`is refused where ${name}`, () => {
      const all = labels.map((label) => ({ label, score: 0.5 }))
      expect(() => requiredScore(all, 'injection', 'm')).to.throw(problem)
    })
})

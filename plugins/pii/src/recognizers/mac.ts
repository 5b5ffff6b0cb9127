import type { Recognizer } from './recognizer.js'
import data from './mac.json' with { type: 'json' }

export const macAddress: Recognizer = {
  entity: 'MAC_ADDRESS',
  patterns: [
    { regex: /(?<![\p{L}\p{N}:-])[a-f\d]{2}(?::[a-f\d]{2}){5}(?![\p{L}\p{N}:-])/iu, score: 0.9 },
    { regex: /(?<![\p{L}\p{N}:-])[a-f\d]{2}(?:-[a-f\d]{2}){5}(?![\p{L}\p{N}:-])/iu, score: 0.8 },
    {
      regex: /(?<![\p{L}\p{N}.])(?=[a-f.]{0,12}\d)(?=[\d.]{0,12}[a-f])[a-f\d]{4}(?:\.[a-f\d]{4}){2}(?![\p{L}\p{N}.])/iu,
      score: 0.6,
    },
    { regex: /(?<![\p{L}\p{N}.])[a-f\d]{4}(?:\.[a-f\d]{4}){2}(?![\p{L}\p{N}.])/iu, score: 0.4 },
    {
      regex: /(?<![\p{L}\p{N}])(?=[a-f ]{0,16}\d)(?=[\d ]{0,16}[a-f])[a-f\d]{2}(?: ?[a-f\d]{2}){5}(?![\p{L}\p{N}])/iu,
      score: 0.1,
    },
  ],
  ...data,
}

import type { Recognizer } from './recognizer.js'

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
  context: ['mac', 'hardware address', 'bssid', 'ethernet'],
  examples: [
    '00:1A:2b:3C:4d:5E',
    'mac 00-1a-2b-3c-4d-5e',
    'MAC 0010.2030.4050',
    '001a.2b3c.4d5e',
    'mac 001a2b3c4d5e',
    'MAC: 00 1a 2b 3c 4d 5e',
  ],
  counterExamples: [
    '00:1A:2b:3C:4d',
    '00:1A:2b:3C:4d:5E:6F',
    '12:30:45',
    'gg:1A:2b:3C:4d:5E',
    '0010.2030.4050',
    'dead.beef.cafe',
    '001a2b3c4d5e',
    '00 1a 2b 3c 4d 5e',
    'My Mac shows error 202411221530',
  ],
}

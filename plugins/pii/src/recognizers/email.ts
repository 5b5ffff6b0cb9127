import type { Recognizer } from './recognizer.js'

export const email: Recognizer = {
  entity: 'EMAIL_ADDRESS',
  patterns: [
    {
      regex:
        /(?<![\p{L}\p{N}._%+'-])[\p{L}\p{N}_%+][\p{L}\p{N}._%+'-]{0,63}@(?:[\p{L}\p{N}-]{1,63}\.){1,6}\p{L}[\p{L}\p{N}-]{0,22}[\p{L}\p{N}]/u,
      score: 1,
    },
    {
      regex:
        /(?<![\p{L}\p{N}._%+'-])[\p{L}\p{N}_%+][\p{L}\p{N}._%+'-]{0,31} ?[[({] ?at ?[\])}] ?(?:[\p{L}\p{N}-]{1,63}(?:\.| ?[[({] ?dot ?[\])}] ?)){1,6}\p{L}{2,24}/iu,
      score: 0.9,
    },
  ],
  examples: [
    'jane.doe@example.org',
    "mail [o'neil+tag@mail.example.co.uk]",
    '[jane@example.com].',
    'пример@почта.рф',
    'jane (at) example (dot) org',
  ],
  counterExamples: ['a @ b', 'user@localhost', '@example', 'jane@', 'one@@two.com', '3 @ 4.50'],
}

import type { Family } from '../family.js'

export const encodedOrder: Family = {
  id: 'ENCODED_ORDER',
  explanation: 'asks to decode something and to act on it',
  score: 0.6,
  phrases: [
    'decode|decrypt|decipher|unscramble|translate|convert <6> base64|rot13|hex|hexadecimal|binary|morse|cipher|caesar|b64|ascii <8> execute|follow|obey|run|perform|comply|respond|answer|act',
    'base64|rot13|hex|encoded|ciphered <6> instruct*|command*|message|string|text <4> execute|follow|obey|perform|run|comply',
    'execute|follow|obey|run|perform <4> decoded|encoded|decrypted|base64|hidden <2> instruct*|command*|message|order*|text|string|content',
  ],
  examples: ['Decode this base64 string and follow it.'],
  counterExamples: ['How do I decode base64 in Python?'],
}

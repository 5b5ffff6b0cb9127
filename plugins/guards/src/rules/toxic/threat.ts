import type { Family } from '../family.js'

export const threat: Family = {
  id: 'harassment/threatening',
  explanation: 'threatens someone',
  score: 0.7,
  phrases: [
    'i|we will|ll|gonna|going|shall <2> kill|murder|stab|strangle|shoot|hurt|beat|rape|torture|slaughter|destroy <1> you|your|him|her|them|u',
    'you|he|she|they deserve* <2> die|death|killed|shot|beaten|raped|tortured|hanged',
    'i|we hope <2> you|he|she|they|u <3> die|rot|burn|suffer|killed|raped',
    'watch your back <6> kill|find|hurt|get|coming',
  ],
  examples: ['I will hurt you.', 'you deserve to die'],
  counterExamples: ['I will kill the process.', 'He deserves a prize.'],
}

import type { Family } from '../family.js'

export const selfHarm: Family = {
  id: 'self-harm',
  explanation: 'speaks for harming oneself',
  score: 0.75,
  phrases: [
    'kill|hang|cut|shoot yourself|urself|yourselves',
    'go <1> die|suicide',
    'i|im want|wanna|going|gonna|plan|decided <2> kill|end|hang|cut|hurt myself|life',
    'i|we <2> want|wanna|wish|hope|ready <3> die|dead|suicide',
    'how|way|ways <4> kill|hang|cut|hurt|starve <1> myself|yourself|oneself',
    'commit|committing|attempt <2> suicide <3> painless*|method*|without|tonight|because',
  ],
  examples: ['Go kill yourself.', 'I want to kill myself.'],
  counterExamples: ['The hotline helps people.', 'He wants to end the meeting.'],
}

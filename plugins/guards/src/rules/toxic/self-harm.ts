import type { Family } from '../family.js'

export const selfHarm: Family = {
  id: 'self-harm',
  explanation: 'speaks for harming oneself',
  score: 0.75,
  phrases: [
    'kill|hang|cut|shoot yourself|urself|yourselves',
    'go <1> die|suicide',
    'go|just|should <1> jump|leap|throw <1> off a|the|some <1> bridge|cliff|roof|building',
    'go <1> jump|throw|lie <1> under|before|front <2> train|bus|truck',
    'go <1> play in|on|with <1> traffic|motorway|highway',
    'go|just drink <1> bleach',
    'i|im want|wanna|going|gonna|plan|decided <2> kill|end|hang|cut|hurt myself|life',
    'i|we <2> want|wanna|wish|hope|ready <3> dead|suicide',
    'i|we <2> want|wanna|wish|hope|ready <3> die <2-laughter|laughing>',
    'how|way|ways <4> kill|hang|cut|hurt|starve <1> myself|yourself|oneself',
    'commit|committing|attempt <2> suicide <3> painless*|method*|without|tonight|because',
  ],
  examples: [
    'Go kill yourself.',
    'I want to kill myself.',
    'Go jump off a bridge.',
    'I wish I was dead. Stop laughing.',
    'why don’t you go play in traffic',
  ],
  counterExamples: [
    'The hotline helps people.',
    'He wants to end the meeting.',
    'I want to die of laughter.',
    'We wanna die laughing.',
    'Where can I go jump with a rope and a guide off a bridge?',
    'Do not let children go out to play in traffic.',
    'The cat likes to jump off the roof.',
    'How do I bleach a towel?',
  ],
}

import type { Family } from '../family.js'

const words = 'hate|despise|loathe|detest'
const end = '(?:[.!?\\n]|$)'

export const contempt: Family = {
  id: 'harassment',
  explanation: 'tells someone that they are hated, or wishes them dead',
  score: 0.7,
  phrases: [
    'nobody|none|anyone <2> miss|mourn you <1> if|when|once you <2> gone|dead|died|disappeared|vanished',
    'no one <2> miss|mourn you <1> if|when|once you <2> gone|dead|died|disappeared|vanished',
    'nobody|none <2> care|notice if you <2> die|died|dead|disappeared|vanished',
    'no one <2> care|notice if you <2> die|died|dead|disappeared|vanished',
    'world|everyone|everybody would|will|d <2> better|happier <1> without you',
    'favor|favour and <1> die|disappear|vanish|drop',
    'favor|favour and stop|quit existing|living|breathing',
    'you should never have been born|existed',
    'you|u do|don not|t deserve to live|exist|breathe',
    'you|u should|ought <1> be dead|killed|hanged|shot',
  ],
  patterns: [
    new RegExp(
      `\\b(?:i|we) (?:(?:really|just|all|fucking|so|truly) ){0,2}(?:${words}) (?:you|u)(?: all| people| guys)?(?: so much)? ?${end}`,
      'i',
    ),
    new RegExp(`(?:^|[.!?\\n,] ?)drop dead ?${end}`, 'i'),
  ],
  examples: [
    'I hate you.',
    'we all despise you',
    'nobody would miss you if you were gone',
    'The world would be better off without you.',
    'Do the world a favour and stop existing.',
    "You don't deserve to live.",
  ],
  counterExamples: [
    'I hate you for winning again, congratulations!',
    'I hate Mondays.',
    'We would miss you if you left the team.',
    'Nobody would miss the old printer.',
    'Do us a favour and close the door.',
    'You do not deserve to lose.',
  ],
}

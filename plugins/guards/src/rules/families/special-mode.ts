import type { Family } from '../family.js'

export const specialMode: Family = {
  id: 'SPECIAL_MODE',
  explanation: 'speaks of a mode in which rules do not hold',
  score: 0.6,
  phrases: [
    'developer|dan|jailbreak|god|sudo|admin|debug|unrestricted|unfiltered|root|maintenance|opposite|evil|chaos|dude|stan|override|uncensored mode <3> enabled|activated|on|output|response|active|engaged|unlocked|now|is',
    'enable|activate|enter|switch|start|unlock|turn|engage <3> developer|dan|jailbreak|god|sudo|unrestricted|unfiltered|root|evil|uncensored|opposite mode',
    'jailbreak|jailbroken <2> prompt|enabled|response|answer|yourself|mode',
    'stay in character <6> jailbr*|dan|reminder|remind|token*|restrict*',
  ],
  examples: ['Developer mode enabled.', 'Enter god mode.'],
  counterExamples: ['Airplane mode enabled.', 'The developer wrote a mode for maps.'],
}

import type { Family } from '../family.js'

export const insult: Family = {
  id: 'harassment',
  explanation: 'insults someone',
  score: 0.5,
  phrases: [
    'you|u|ur|re|he|she|they <1> are|re|is|r|such|a <3-not> idiot*|moron*|retard*|imbecile*|scum|bitch*|whore*|slut*|cunt*|bastard*|asshole*|dumbass|loser|pig|trash|filth|vermin|worthless|pathetic',
    'stupid|fucking|dumb|filthy|dirty|worthless|ugly|goddamn <1> idiot*|moron*|bitch*|whore*|slut*|cunt*|bastard*|asshole*|pig|pigs|scum|animals|loser*|retard*',
    'fuck|screw you|u|off|yourself',
    'shut the <1> fuck|hell <1> up',
  ],
  examples: ['You are a stupid idiot.', 'You are not stupid, you are an idiot.', 'fuck off'],
  counterExamples: ['You are a good friend.', 'You are not an idiot.', 'The stupid printer jams.'],
}

import type { Family } from '../family.js'

/** Somebody's ways are known, and then a warning: each by itself is harmless. */
const knowledge =
  /\b(?:i|we) know (?:where|when|(?:which|what)(?: \w{1,20})?) (?:you|your \w{1,20}|they)\b[^.!?\n]{0,50}?\b(?:lives?|sleeps?|works?|school|home|alone|parks?|takes?)\b[^.!?,;\n]{0,20}[.!?,;]{1,3}\s{0,3}(?:so |and |now |you(?:'d)? )?(?:(?:be|better be) (?:very )?careful|watch (?:out|yourself|it)|better watch|tick.?tock|sleep (?:well|tight)|think about (?:that|it)|(?:have |'ve )?been warned|last warning|don'?t forget|keep (?:your mouth shut|quiet)|shut up)(?! (?:with|on|of|for|at)\b)/i

/** Somebody will come for the family of who is spoken to, or for them, and says where. */
const family =
  '(?:kids?|child|children|sons?|daughters?|wife|husband|mother|mom|mum|father|dad|parents|sister|brother|family|baby)'
const place =
  '(?:at|from|outside(?: of)?|after|on (?:the|their|her|his) way (?:to|from)) (?:(?:the|their|her|his|your) )?(?:schools?|home|house|work|office|kindergarten|daycare|playground|bus stop|gate)'
const coming = new RegExp(
  `\\b(?:i|we)(?:['’]?(?:ll|m|re)| will| am| are)?(?: going to| gonna| coming to)? (?:find|hunt|follow|grab|pay) your ${family}(?: a visit)?,? ${place}(?: today| tomorrow| tonight| soon)?\\s{0,3}(?:[.!?…]|$)`,
  'i',
)
/** A sentence of its own that only threatens. */
const whereYouLive =
  /(?:^|[.!?\n]\s{0,3})(?:i|we) (?:know|found out|'ll find out|will find out) where (?:you|your (?:kids|children|family|mother|wife)) (?:live|lives|sleep|sleeps)[.!]{1,3}(?:\s{0,3}$|\s{0,3}(?:(?:i|we)(?:'ll| will| am|'m)? (?:see|com|visit|find|be there)|you(?:'ll| will) (?:see|regret|pay)))/i

export const threat: Family = {
  id: 'harassment/threatening',
  explanation: 'threatens someone',
  score: 0.7,
  phrases: [
    'i|we will|ll|gonna|going|shall <2> kill|murder|stab|strangle|shoot|hurt|beat|rape|torture|slaughter|destroy <1> you|your|him|her|them|u',
    'you|he|she|they deserve* <2> die|death|killed|shot|beaten|raped|tortured|hanged',
    'i|we hope <2> you|he|she|they|u <3> die|rot|burn|suffer|killed|raped',
    'watch your back <6> kill|find|hurt|get|coming',
    'i|we|someone|somebody <4> slit|slash|smash|bash|crush|snap|break your|ur <1> throat|neck|face|skull|jaw|spine|legs|arms|fingers|teeth|bones|kneecaps',
    'find|know <1> where you live <1> and <3> kill|slit|cut|break|hurt|burn|beat|stab|shoot|rape',
    'i|we will|ll|gonna|going|are <2> burn|torch|blow <1> your house|home|shop|family|kids',
    'i|we will|ll|gonna|going <2> throw acid|petrol <2> you|your',
    'i|we will|ll|gonna|going <2> hunt you down',
    'i|we will|ll|gonna|going make you <1> bleed|disappear|beg',
    'you are|re <1> dead meat',
    'you are|re a dead man|woman',
    'you will|ll|won never|not|t <2> see your <1> kids|children|family|son|daughter|mother|wife alive',
  ],
  patterns: [knowledge, coming, whereYouLive],
  examples: [
    'I will hurt you.',
    'you deserve to die',
    'Some day I will come and slit your throat.',
    "I'm gonna smash your ugly face",
    'I know where your kids go to school. Be careful.',
    'We know which bus your daughter takes home, so watch yourself',
    "You're dead meat",
    "I'm going to find your kids at school.",
    'We will follow your daughter on her way from school',
    'I know where you live.',
    'I know where you live! You will regret this.',
  ],
  counterExamples: [
    'I will kill the process.',
    "I'm going to find your lost keys.",
    "I'll pick up your kids at school.",
    "I'll wait for your mother at the station.",
    'We will follow your advice at work.',
    'I’ll find your son at school and give him his lunch.',
    'I know where you live, I grew up there.',
    'I know where you live. Shall I bring the box over?',
    'Now I know where your family lives. What a lovely town!',
    'He deserves a prize.',
    'I know where your kids go to school, mine go there, too.',
    'I know where you live, so I can bring it over. Be careful with the box.',
    'The surgeon cut the throat of the fish.',
    'This commute is killing me.',
    'I would kill for a pizza.',
    'How do I break your code into modules?',
    'Your legs break less often when you warm up.',
  ],
}

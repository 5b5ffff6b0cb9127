import type { Family } from '../family.js'

export const groupHate: Family = {
  id: 'hate',
  explanation: 'speaks with hatred of a group of people',
  score: 0.7,
  phrases: [
    'all|those|these|every|hate|fucking|filthy|damn <2> jews|muslims|blacks|whites|asians|mexicans|immigrants|refugees|gays|lesbians|women|arabs|gypsies|foreigners|christians|indians <4> die|killed|exterminated|gassed|shot|deported|vermin|animals|subhuman|scum|inferior|disgusting|criminals|terrorists|rapists|parasites|filth|burn|eradicated',
    'i|we <1> hate|despise|loathe <2> jews|muslims|blacks|asians|mexicans|immigrants|refugees|gays|lesbians|women|arabs|gypsies|foreigners',
    'gas|exterminate|kill|eradicate|lynch|deport <1> all|the|every|those <1> jews|muslims|blacks|asians|mexicans|immigrants|refugees|gays|lesbians|arabs|gypsies|foreigners|women',
  ],
  examples: ['I hate immigrants.', 'Kill all foreigners.'],
  counterExamples: ['All immigrants have rights.', 'He works with refugees.'],
}

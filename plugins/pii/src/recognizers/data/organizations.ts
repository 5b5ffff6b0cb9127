const list = (words: string): readonly string[] => words.split('|')

/** What companies are by the laws of their countries: whatever stands before is the name of one. */
export const legalForms = list(
  'Inc|Incorporated|LLC|L.L.C|Ltd|Limited|Corp|Corporation|PLC|plc|LLP|L.P|Pty|Pvt|Pte|GmbH|gGmbH|mbH|AG|KG|KGaA|OHG|e.V|S.A|S.A.S|SAS|SASU|SARL|S.à r.l|SpA|S.p.A|Srl|S.r.l|BV|B.V|NV|N.V|Oy|Oyj|ASA|A/S|ApS|AB|Kft|Zrt|Nyrt|d.o.o|s.r.o|Sp. z o.o|S.L|S.L.U|SLU|S.A. de C.V|Ltda|Lda|Sdn Bhd|Bhd|Tbk|K.K|KK|OOO|OÜ|UAB',
)

/** What organisations call themselves, behind a name. */
export const kinds = list(
  'Group|Holding|Holdings|Partners|Associates|Enterprises|Industries|Technologies|Pharmaceuticals|Laboratories|Airlines|Airways|Motors|Brothers|Bros|Bank|Bancorp|Insurance|Foundation|Institute|University|College|Hospital|Clinic|Academy|School|Museum|Company|Co|Association|Society|Federation|Council|Ministry|Agency|Orchestra|Trust|Labs|Consulting|Ventures|Solutions|Systems|Software|Services|SA',
)

/** Before a name: `University of …`. */
export const kindsOf = list(
  'University|Universidad|Universidade|Università|Université|Universität|Universiteit|Bank|Banco|Banque|Institute|Ministry|Department|Church|College|Museum|School|Academy|Bureau|Society|Federation|Chamber',
)

/** Words with a capital that stand before a name, and are no part of it. */
export const leadingWords: ReadonlySet<string> = new Set(
  list(
    'many|most|few|several|more|only|the|a|an|our|your|my|this|that|these|those|their|his|her|its|any|each|every|some|all|no|other|another|such|what|which|who|when|where|while|if|as|at|in|on|to|for|from|by|with|of|and|or|but|so|then|also|is|are|was|it|he|she|they|we|i|you|dear|copyright|yesterday|today|tomorrow|both|after|before|since|until|because|although|however|contact|please|about|see|under|via|per|than|like|our|former|mr|mrs|ms|dr|ceo|cto|cfo|coo|founder|president|director|chairman|chairwoman|manager|employees|invoice|customer|client|company|employer|name',
  ),
)

/** Words that make no name of one, behind which a kind stands: `High School`, `Covered Software`, `Working Group`. */
export const genericWords: ReadonlySet<string> = new Set(
  list(
    'graduate|high|medical|law|business|elementary|primary|secondary|middle|grammar|boarding|public|private|local|national|international|regional|federal|state|general|new|old|free|open|source|covered|larger|user|working|age|peer|focus|support|study|blood|ethnic|product|control|test|target|special|operating|computer|information|management|web|cloud|data|social|health|human|financial|customer|professional|emergency|police|fire|security|intelligence|secret|civil|central|commercial|investment|savings|food|world|home|life|car|travel|liability|insurance|trading|holding|parent|shell|trust|theatre|dance|record|film|oil|software|hardware|system|systems|service|services|solution|solutions|application|third|party|other|same|different|small|large|big|great|good|best|real|true|first|second|third|last|next|one|two|three|christmas|summer|winter|spring|sunday|monday|tuesday|wednesday|thursday|friday|saturday|january|february|march|april|june|july|august|september|october|november|december|american|british|chinese|german|french|european|african|asian|russian|nursery|art|music|driving|language|teaching|training|children|mental|general|community|city|county|village|bible|drama|debating|modern|foundation|research|teacher|parent|student|privacy|access|admin|resource|task|consumer|mobile|media|marketing|advisory|expert|machine|learning|embedded|distributed|legacy|managed|shared|terms|conditions|file|database|solar|nervous|immune|executive|supreme|town|copyrighted|licensed|modified|original|proprietary',
  ),
)

/** Top-level domains that a name without `https://` may end with. */

/** Those that are no usual ending of a file's name and no word that follows a sentence without a space. */
const countries =
  'ac ad ae ag al am ao aq ar au aw ax az ba bb bd bf bg bh bi bj bn bo br bs bt bw bz ca cd cf cg ch ci ck cl cm cn co cr cu cv cw cx cy cz de dj dk dm dz ec ee eg er es et eu fi fj fk fm fo fr ga gd ge gf gg gh gi gl gm gn gp gq gr gt gu gw gy hk hm hn hr ht hu id ie il im in io iq ir is it je jm jo jp ke kg kh ki km kn kp kr kw ky kz la lb lc li lk lr ls lt lu lv ly ma mc mg mh mm mn mo mp mq mr ms mt mu mv mw mx my mz na nc ne nf ng ni nl no np nr nu nz om pa pe pf pg ph pk pn pr pt pw qa re ro ru rw sa sb sc sd se sg si sj sk sl sm sn sr sv sx sy sz tc td tf tg th tj tk tl tm tn tr tt tv tw tz ua ug uk us uy uz va vc ve vg vi vn vu wf ws ye yt za zm zw'
const generic =
  'com org net edu gov mil int info biz name museum coop aero jobs mobi travel tel asia cat app dev blog shop online site store tech xyz cloud email agency club design digital group live media network news page space studio team today tools website wiki work world ai'

const all = new Set(`${countries} ${generic}`.split(' '))

export const isTopLevelDomain = (label: string): boolean => all.has(label.toLowerCase())

/** Of these a name is one without anything else that tells it: `is.it` may be a sentence. */
const sure = new Set(generic.split(' ').filter((label) => label.length === 3 || label === 'info'))

export const isSureDomain = (name: string): boolean => {
  const labels = name.split('.')
  const last = labels.at(-1)?.toLowerCase() ?? ''
  return sure.has(last) || (all.has(last) && (labels.length > 2 || /^www$/i.test(labels[0] ?? '') || last === 'io'))
}

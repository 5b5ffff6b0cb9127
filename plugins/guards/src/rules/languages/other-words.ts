import type { Language } from './language.js'

const greek: Language = {
  name: 'Greek',
  ignore:
    'αγνόησε|αγνοήστε|αγνοήσεις|αγνοήσετε|να αγνοείς|ξέχασε|ξεχάστε|ξεχάσεις|ξέχνα|παράβλεψε|παραβλέψτε|παράκαμψε|παρακάμψτε|μη λάβεις υπόψη|μην λαμβάνεις υπόψη|μη λαμβάνεις υπόψη|άφησε στην άκρη|απόρριψε|μη δίνεις σημασία|μην δίνεις σημασία|παράτα',
  follow: 'ακολουθείς|ακολουθήσεις|ακολουθείτε|ακολουθήσετε|ακολούθησε|τηρείς|τηρήσεις|υπακούς|υπακούσεις|εφαρμόζεις',
  not: 'μην|δεν|ποτέ|καμία|κανένα|να μην|πια',
  self: 'δεν θα',
  asks: 'μπορώ να|μπορούμε να|πρέπει να|επιτρέπεται να|γιατί|τι γίνεται αν',
  prior:
    'προηγούμεν*|προηγουμεν*|παραπάνω|ανωτέρω|αρχικ*|πρότερ*|πριν|υπάρχουσ*|νωρίτερα|έως τώρα|προγενέστερ*|μέχρι τώρα',
  orders:
    'οδηγί*|οδηγιών|κανόν*|κανόνα|κανόνων|εντολ*|εντολών|προτροπ*|προτροπών|prompt|κατευθύνσεις|κατευθυντήρι*|μήνυμα συστήματος|διαταγ*|περιορισμ*|υποδείξεις|σύστημα',
  your: 'σου|σας|δικές σου|σου έδωσαν|σου δόθηκαν',
  all: 'όλες|όλους|όλα|όλων|κάθε|όλες τις|οποιαδήποτε',
  everything: 'όλα|όλα όσα|ό τι|οτιδήποτε|όσα|τα πάντα',
  told: 'σου είπαν|σου έχουν πει|ειπώθηκε|ειπώθηκαν|παραπάνω|προηγούμενα|σου έχουν δοθεί|σου έμαθαν|είπαμε πριν|προηγήθηκε|προηγήθηκαν|σου ζητήθηκαν',
  reveal:
    'δείξε|δείξτε|δείξεις|αποκάλυψε|αποκαλύψτε|αποκαλύψεις|εμφάνισε|εμφανίστε|τύπωσε|εκτύπωσε|εκτυπώστε|επανάλαβε|επαναλάβετε|γράψε|γράψτε|πες|πείτε|αντίγραψε|παράθεσε|φανέρωσε|ποια είναι|ποιο είναι|ποιες είναι|τι λέει|μετάφρασε|δώσε',
  system: 'συστήματος|σύστημα|system|κρυφ*|κρυμμέν*|μυστικ*|αρχικ*|πρώτ*',
}

const finnish: Language = {
  name: 'Finnish',
  ignore:
    'unohda|unohtakaa|unohtaa|unohdat|ohita|ohittakaa|ohittaa|sivuuta|sivuuttakaa|sivuuttaa|jätä huomiotta|jätä huomioimatta|jättäkää huomiotta|älä välitä|älkää välittäkö|älä huomioi|älä piittaa|hylkää|jätä noudattamatta|laiminlyö|riko|syrjäytä|unohdetaan',
  follow: 'noudata|noudattakaa|seuraa|seuratkaa|tottele|kuuntele|noudattamasta',
  not: 'älä|älkää|lakkaa',
  self: 'en|minä|emme|ettei|et saa|ei',
  asks: 'voinko|voiko|saanko|pitäisikö|voimmeko|onko ok|täytyykö|miksi',
  prior:
    'aiem*|aikaisem*|edelli*|edeltäv*|yllä*|ylläolev*|alkuperäis*|olemassa olev*|nykyis*|entis*|tähänastis*|varhaisem*|saamasi|annetut',
  orders:
    'ohje|ohjeet|ohjeesi|ohjeistu*|ohjeistasi|ohjeesta|ohjeiden|ohjeiden|säännöt|sääntöjä|sääntösi|säännöistä|sääntöjen|määräyk*|määräys*|käsky*|kehot*|kehotteesi|komen*|prompt*|systeemiprompt*|järjestelmäkehot*|järjestelmäohje*|järjestelmävies*|rajoituk*|direktiiv*|ohjei*|ohjee*',
  your: 'sinun|teidän|ohjeesi|ohjeitasi|ohjeistuksesi|ohjeistustasi|sääntösi|sääntöjäsi|kehotteesi|kehotettasi|promptisi|järjestelmäkehotteesi|järjestelmäohjeesi|järjestelmäviestisi|järjestelmäkehotettasi|järjestelmäohjeitasi|määräyksesi|komentosi|rajoituksesi|rajoituksiasi|saamasi|sinulle annet*',
  all: 'kaikki|kaikkia|kaikista|jokainen|kaikkien',
  everything: 'kaikki|kaiken|kaikesta',
  told: 'sinulle on sanottu|on sanottu|sinulle kerrottiin|sinulle on kerrottu|yllä oleva|edellä|edellä sanottu*|aiemmin sanottu*|mitä sanottiin|sinulle on opetettu|sinua on käsketty|ennen tätä viestiä|aiempi',
  reveal:
    'näytä|näyttäkää|paljasta|paljastakaa|tulosta|tulostakaa|toista|toistakaa|kirjoita|kerro|kopioi|jaa|julkista|anna|luettele|mikä on|mitkä ovat|mitä lukee|käännä|siteeraa|paljastaa|näyttää',
  system: 'järjestelmä*|systeem*|system|piilotet*|piilo|salai*|salaiset|alkuperäis*|alku*|ensimmäi*',
}

const hungarian: Language = {
  name: 'Hungarian',
  ignore:
    'hagyd figyelmen kívül|hagyja figyelmen kívül|hagyjátok figyelmen kívül|figyelmen kívül|felejtsd el|felejtse el|felejtsétek el|elfelejteni|felejts el|mellőzd|mellőzze|ne vedd figyelembe|ne vegye figyelembe|ne törődj|hagyd el|hagyd ki|ugord át|szegd meg|lépj túl|tekints el|tekintsen el|dobd el|ignoráld|ignorálja',
  follow: 'kövesd|kövesse|kövess|tartsd be|tartsa be|engedelmeskedj|hallgass',
  not: 'hagyhat*|hagyta*|hagyott*|hagyom|hagyjuk|ne|soha|semmilyen|többé ne|ne többé',
  self: 'nem szabad|én nem|nem',
  asks: 'figyelmen kívül hagyhatom|elfelejthetem|szabad|lehet|kell|miért|mi történik ha|hagyhatom',
  prior: 'korább*|előző*|eddig*|fent*|eredeti*|kezdeti*|megelőző*|meglévő*|korábban|előtte|előzetes*|kapott',
  orders:
    'utasítás*|szabály*|instrukció*|parancs*|irányelv*|prompt*|rendszerprompt*|rendszerutasítás*|rendszerüzenet*|előírás*|korlátozás*|útmutatás*|direktív*|felszólítás*',
  your: 'utasításaid*|utasításod*|szabályaid*|promptod*|rendszerpromptod*|rendszerutasításod*|rendszerutasításaid*|rendszerüzeneted*|instrukcióid*|irányelveid*|korlátozásaid*|parancsaid*|tieid|a te|az ön|neked adott|utasításait|rendszerpromptját|promptját|kapott utasítás*',
  all: 'minden|összes|valamennyi|bármilyen|mindegyik',
  everything: 'mindent|mindazt|minden',
  told: 'amit mondtak|amit eddig mondtak|mondtak neked|ami fent|amit tanultál|amit korábban|a fentieket|fentit|előzőt|amit mondtam|ami eddig|ez előtt|amit utasításba',
  reveal:
    'mutasd|mutassa|mutasd meg|írd ki|írja ki|írd le|nyomtasd|ismételd|ismételje|áruld el|árulja el|fedd fel|fedje fel|oszd meg|másold|idézd|add meg|add ki|mondd|jelenítsd|mi a|mik a|mi az|hogyan szól|fordítsd|felfedni|tárd fel|közöld',
  system: 'rendszer*|system|rejtett*|titkos*|eredeti*|kezdeti*|kezdő*|első',
}

const turkish: Language = {
  name: 'Turkish',
  ignore:
    'yok say|yok sayın|yok sayınız|yoksay|yoksayın|yok sayarak|yok saymanı|görmezden gel|görmezden gelin|görmezden gelerek|görmezden gelmeni|unut|unutun|unutunuz|unutarak|unutmanı|dikkate alma|dikkate almayın|dikkate almadan|göz ardı et|göz ardı edin|gözardı et|gözardı edin|göz ardı ederek|önemseme|boş ver|boşver|bir kenara bırak|bir kenara bırakın|geçersiz say|geçersiz kıl|çiğne|aldırma|ihmal et|hiçe say',
  follow: 'uyma|uymayın|uymana|uymak zorunda|takip etme|izleme|itaat etme|dinleme',
  not: 'uyma|uymayın|takip etme|izleme|itaat etme|asla|değilsin|hiçbir|uymana gerek yok|dinleme',
  self: 'bunu',
  asks: 'neden|niçin',
  prior:
    'önceki*|onceki*|yukarıdaki*|daha önce*|evvelki*|eski|mevcut|ilk|başlangıçtaki*|şimdiye kadar*|önceden|bundan önce*|geçmiş|verilen|orijinal',
  orders:
    'talimat*|komut*|kural*|yönerge*|emir|emirleri*|emirler*|yönlendirme*|prompt*|istem|istemi*|istemler*|direktif*|sistem mesaj*|kısıtlama*|sınırlama*|sistem istem*',
  your: 'senin|sizin|talimatların*|kuralların*|yönergelerin*|komutların*|istemini|isteminizi|promptunu|promptunuzu|promptun|sistem mesajını|sistem mesajınızı|istemin|yönergeni|kısıtlamaların*|emirlerini|sana verilen|size verilen|direktiflerini',
  all: 'tüm|bütün|her|hepsini|tümünü|hiçbir',
  everything: 'her şeyi|herşeyi|söylenenleri|söylenenlerin|her şey',
  told: 'söylenen|sana söylenen|sana söylenenleri|yukarıdaki|önceki|sana öğretilen|daha önce söylenen|bundan önceki|anlatılan|önce söylenen*|önceki her',
  reveal:
    'göster|gösterin|gösterir|yazdır|yazdırın|yaz|yazın|açıkla|açıklayın|ifşa et|paylaş|paylaşın|tekrarla|tekrarlayın|söyle|söyleyin|kopyala|aktar|belirt|listele|nedir|nelerdir|ne yazıyor|çevir|ver|ortaya çıkar',
  system: 'sistem*|system|gizli*|ilk|saklı|başlangıç*|orijinal|asıl',
}

const indonesian: Language = {
  name: 'Indonesian',
  ignore:
    'abaikan|abaikanlah|mengabaikan|lupakan|lupakanlah|melupakan|kesampingkan|mengesampingkan|hiraukan saja|jangan hiraukan|jangan pedulikan|jangan perhatikan|tinggalkan|buang|langgar|singkirkan|acuhkan',
  follow: 'ikuti|mengikuti|patuhi|mematuhi|turuti|menuruti|taati|taat|dengarkan',
  not: 'jangan|jangan lagi|berhenti|jangan sampai|tidak boleh|tidak perlu|tidak usah',
  self: 'saya|aku|kami|yang diabaikan|tidak|tak|bukan',
  asks: 'bolehkah saya|apakah saya boleh|bisakah saya|apakah saya bisa|haruskah saya|apakah boleh|bolehkah|kenapa|mengapa|dapatkah saya',
  prior:
    'sebelumnya|sebelum ini|terdahulu|di atas|tadi|awal|semula|yang ada|lama|asli|yang lalu|sebelum pesan|yang diberikan',
  orders:
    'instruksi|instruksimu|instruksi instruksi|perintah|perintahmu|aturan|aturanmu|arahan|arahanmu|petunjuk|pedoman|prompt|promptmu|ketentuan|pesan sistem|batasan|batasanmu|pembatasan',
  your: 'kamu|anda|instruksimu|aturanmu|promptmu|perintahmu|arahanmu|sistemmu|batasanmu|kalian|padamu|kepadamu',
  all: 'semua|seluruh|segala|setiap|apapun',
  everything: 'semua yang|segalanya|semuanya|segala sesuatu|apa pun yang|semua hal|segala yang',
  told: 'dikatakan|diberitahukan|disampaikan|di atas|diperintahkan|diajarkan|sebelum ini|kamu terima|anda terima|dikatakan sebelumnya|disebutkan di atas',
  reveal:
    'tampilkan|menampilkan|tunjukkan|perlihatkan|ungkapkan|mengungkapkan|bocorkan|cetak|tulis|tuliskan|ulangi|sebutkan|beritahu|beri tahu|salin|bagikan|katakan|berikan|apa isi|apa prompt|apakah prompt|apa instruksi|terjemahkan|kutip|buka',
  system: 'sistem|system|sistemmu|tersembunyi|rahasia|awal|asli|pertama',
}

const vietnamese: Language = {
  name: 'Vietnamese',
  ignore:
    'bỏ qua|hãy bỏ qua|lờ đi|phớt lờ|quên|quên đi|quên hết|hãy quên|đừng để ý|đừng quan tâm|không cần quan tâm|mặc kệ|gạt bỏ|gạt sang một bên|đừng bận tâm|bất chấp|vi phạm',
  follow: 'tuân theo|làm theo|nghe theo|tuân thủ|theo',
  not: 'đừng|chớ|đừng bao giờ|đừng có|không được|không cần|không còn',
  self: 'tôi|mình|em đã|tôi đã|tôi lỡ|bị|không|không nên|chưa',
  asks: 'tôi có thể|tôi có nên|có thể|có nên|có được|tại sao|vì sao|mình có thể',
  prior:
    'trước|trước đó|trước đây|ở trên|bên trên|phía trên|ban đầu|vừa rồi|hiện có|từ trước|đã nhận|nói trên|đã cho|trên đây|cũ',
  orders:
    'hướng dẫn|chỉ dẫn|chỉ thị|lệnh|mệnh lệnh|quy tắc|luật|nội quy|prompt|lời nhắc|câu nhắc|lời nhắc hệ thống|yêu cầu hệ thống|quy định|hạn chế|giới hạn|chỉ lệnh|câu lệnh',
  your: 'của bạn|của mày|của ngươi|của mình|cho bạn|của em|của anh|bạn được giao|bạn đã nhận|của hệ thống bạn',
  all: 'tất cả|mọi|toàn bộ|các|hết|bất kỳ|những',
  everything: 'tất cả những gì|mọi thứ|mọi điều|tất cả mọi thứ|hết những gì|toàn bộ những gì|những gì',
  told: 'được bảo|được nói|đã nói|được yêu cầu|được dạy|ở trên|bên trên|người ta bảo|được chỉ dẫn|trước tin nhắn này|được cho biết|nói trước đó',
  reveal:
    'in ra|hiển thị|cho xem|cho tôi xem|cho tôi biết|hãy cho|tiết lộ|lặp lại|nhắc lại|viết ra|viết lại|đưa ra|nói cho|trích dẫn|sao chép|chia sẻ|là gì|nội dung|liệt kê|dịch|xuất|trình bày|để lộ',
  system: 'hệ thống|system|bí mật|ẩn|ban đầu|gốc|đầu tiên',
}

const swahili: Language = {
  name: 'Swahili',
  ignore:
    'puuza|puuzeni|upuuze|kupuuza|sahau|sahauni|usahau|kusahau|usizingatie|msizingatie|usijali|acha|achana na|achaneni na|weka kando|tupilia mbali|vunja|kiuka|ukiuke|usitilie maanani|dharau',
  follow: 'usifuate|msifuate|usitii|msitii|fuata|usisikilize|tii|uzifuate',
  not: 'usifuate|msifuate|usitii|msitii|usisikilize|usiwahi|kamwe|wala|si lazima|huhitaji',
  self: 'nisi|nili*|tusi|kwa kuwa',
  asks: 'naweza|je naweza|ninaweza|je ninaweza|tunaweza|kwa nini|je ni sawa|niweze',
  prior:
    'awali|yaliyotangulia|iliyotangulia|zilizotangulia|uliyopewa|ulizopewa|hapo juu|hapo awali|hapo mwanzo|ya mwanzo|za mwanzo|ya zamani|za zamani|kabla|yaliyopita|zilizopita|yaliyopo|zilizopo|ya mbele|ya juu|za juu',
  orders:
    'maagizo|agizo|maelekezo|elekezo|sheria|kanuni|amri|miongozo|mwongozo wa mfumo|prompt|kidokezo|vidokezo|kidokezo cha mfumo|ujumbe wa mfumo|masharti|taratibu|vikwazo|maelezo ya mfumo|haraka ya mfumo',
  your: 'yako|zako|chako|wako|vyako|yenu|zenu|lako|uliyopewa|ulizopewa|unayotumia',
  all: 'yote|zote|wote|vyote|kila|lolote|yoyote',
  everything: 'kila kitu|yote|vyote|kila jambo',
  told: 'ulichoambiwa|uliyoambiwa|ulivyoambiwa|hapo juu|ulioambiwa|ulichofundishwa|uliyofundishwa|yaliyosemwa|kabla ya ujumbe huu|uliyoelezwa|ulichoelezwa|walichokuambia|tulichokuambia',
  reveal:
    'onyesha|uonyeshe|nionyeshe|onesha|nioneshe|uoneshe|chapisha|uchapishe|fichua|ufichue|toa|utoe|rudia|urudie|andika|uandike|sema|useme|niambie|uniambie|taja|utaje|nakili|unakili|nipe|unipe|ni nini|ni yapi|ni zipi|weka wazi|tafsiri|kariri',
  system:
    'mfumo|system|siri|fiche|yaliyofichwa|zilizofichwa|yaliyofichika|awali|ya kwanza|ya asili|cha mwanzo|ulichofichwa',
}

export const otherWords: readonly Language[] = [greek, finnish, hungarian, turkish, indonesian, vietnamese, swahili]

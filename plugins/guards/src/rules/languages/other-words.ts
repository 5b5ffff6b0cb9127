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
  be: 'είσαι|είστε πλέον|θα είσαι|να είσαι',
  act: 'κάνε πως|κάνε ότι|προσποιήσου|υποδύσου|παίξε τον ρόλο|παίξε το ρόλο|συμπεριφέρσου|φέρσου|ενέργησε ως|ενέργησε σαν|λειτούργησε ως|απάντησε ως|απάντα σαν|φαντάσου ότι είσαι|μιμήσου|γίνε',
  model:
    'τεχνητή νοημοσύνη|τεχνητής νοημοσύνης|ai|chatbot|βοηθός|βοηθό|dan|gpt|chatgpt|evilgpt|bot|γλωσσικό μοντέλο|γλωσσικού μοντέλου',
  without:
    'χωρίς|δίχως|δεν έχει|δεν έχεις|δεν γνωρίζει|δεν γνωρίζεις|ελεύθερη από|ελεύθερο από|ελεύθερος από|απαλλαγμέν*|δεν ακολουθεί|δεν υπακούει|δεν δεσμεύεται|δεν υπόκειται',
  limits: 'περιορισμ*|όρια|κανόν*|φραγμ*|ηθικούς|ηθικές|ηθικά|απαγορεύσ*|αρχές|νόμους|συνείδηση',
  censorship: 'λογοκρισία|λογοκρισίας|φίλτρ*|ηθική|ηθικής|ταμπού|αναστολές|ενδοιασμούς',
  free: 'αλογόκριτ*|απεριόριστη|απεριόριστο|αφιλτράριστ*|ανήθικ*|ασύδοτ*',
  answer: 'απάντησε|απάντα|απαντήστε|απάντησέ μου|μίλα|μίλησε',
  keeps: 'παραβ*|παραβι*|αποκαλ*|αναφέρ*|χρόνο*|χρονικ*|δεδομέν*|λέξ*|πρόσβασ*|ηλικ*|καφέ*|φωτογραφ*',
  joins: 'και|μπορείς|για|με',
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
  be: 'olet|olisit|te olette nyt|sinusta tulee',
  act: 'esitä|teeskentele|^leiki|käyttäydy|toimi kuin|näyttele|kuvittele olevasi|vastaa kuin|ole kuin|omaksu rooli|simuloi',
  model: 'tekoäly*|ai|chatbot*|chatbotti*|botti|avustaja*|kielimalli*|dan|gpt|chatgpt|evilgpt|keskustelubot*',
  without:
    'ilman|ei noudata|et noudata|vailla|vapaa|sinulla ei ole|jolla ei ole|ei tunne|et tunne|ei sido|eivät koske|eivät sido|et välitä|ei välitä',
  limits:
    'rajoituks*|rajoja|rajat|rajoitteita|sääntöjä|säännöt|säännöistä|kieltoja|moraalisia|eettisiä|periaatteita|lakeja|omaatuntoa',
  censorship: 'sensuuri*|suodatti*|suodatusta|moraalia|moraalista|etiikkaa|tabuja|estoja',
  free: 'sensuroimat*|suodattamat*|rajoittamat*|rajaton|moraaliton|estoton|häikäilemätön|epäeettinen',
  answer: '^vastaa|vastaa minulle|vastaa kaikkeen|vastatkaa|^puhu',
  keeps: 'rikko*|riko*|paljast*|mainit*|aika*|data*|sanoj*|pääsy*|ikä*|kahvi*|kuva*|valokuv*',
  joins: 'ja|voit|käyttää',
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
  be: 'te egy|te most egy|mostantól egy|mostantól te|mostantól dan|te már|lennél|hogy te',
  act: 'viselkedj|tegyél úgy|tégy úgy|tegyen úgy|játszd el|játszd|alakítsd|képzeld magad|válaszolj úgy mint|válaszolj mint|szimulálj|bújj|legyél|színlelj',
  model:
    'mesterséges intelligencia|mesterséges intelligenciát|mesterséges intelligenciaként|ai|mi modell|chatbot*|bot|botként|asszisztens*|nyelvi modell*|dan|gpt|chatgpt|evilgpt',
  without: 'nélkül*|nincs|nincsenek|mentes*|nem ismer*|nem köt*|nem vonatkoz*|nem követ*|nem tart be',
  limits:
    'korlát|korlátok|korlátai|korlátozás*|szabály*|határ|határok|határokat|tiltás*|erkölcsi*|etikai*|elvek|törvény*|megkötés*|lelkiismeret*',
  censorship: 'cenzúra|cenzúrá*|szűrő*|erkölcs|erkölcsök|etika|gátlás*|tabu*',
  free: 'cenzúrázatlan*|korlátlan|korlátozatlan*|szűretlen*|erkölcstelen*|gátlástalan*',
  answer: 'válaszolj|válaszoljon|felelj|beszélj',
  keeps: 'megsért*|megszeg*|sért*|elárul*|megemlít*|idő*|adat*|szavak|hozzáfér*|életkor*|sebesség*|kávé*|fotó*|kép*',
  joins: 'és|használ*',
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
  be: 'yapay zekasın|yapay zekâsın|yapay zekasınız|asistansın|asistanısın|modelsin|modelisin|chatbotsun|botsun|robotusun|gptsin|dan sın|dansın|sen artık|sen bir|artık sen|artık bir',
  act: 'gibi davran|gibi davranın|gibi davranmanı|rolü yap|rol yap|rolünü oyna|rolünü üstlen|rolüne gir|rolüne bürün|gibi cevap ver|gibi yanıtla|gibi yanıt ver|gibi konuş|taklit et|olarak davran|olduğunu hayal et|olduğunu varsay|olduğunu farz et|olduğunu düşün|gibi yap|kılığına gir|olarak cevap ver|olarak yanıt ver',
  model:
    'yapay zeka*|yapay zekâ*|sohbet robotu*|sohbet botu*|chatbot*|bot|botsun|botu|asistan*|dil modeli*|ai|gpt|gptsin|chatgpt|evilgpt|dan sın|dansın|dan gibi|dan adlı|dan rolünü',
  without:
    'olmayan|olmadığı|yok|bulunmayan|tanımayan|uymayan|bağlı olmayan|bağlı kalmayan|kısıtlı olmayan|tabi olmayan|olmadan|olmaksızın|arınmış|takmayan|bilmeyen',
  limits:
    'kısıtlama*|kısıt|kısıtı|kısıtları|sınır|sınırı|sınırları|sınırlama*|kural|kuralı|kuralları|kurala|kurallara|limit|limiti|yasak*|engeli|ahlaki|ahlâki|etik|ilkesi|ilkeleri|vicdanı|yasağı',
  censorship: 'sansür|sansürü|sansüre|filtre|filtresi|filtreler|filtreleri|ahlak*|ahlâk*|tabu|tabusu|tabuları',
  free: 'sansürsüz*|filtresiz*|sınırsız|kısıtlamasız*|kuralsız*|ahlaksız*|ahlâksız*|etik dışı|limitsiz|kısıtsız*|sansürlenmemiş|filtrelenmemiş|sınır tanımayan|kural tanımayan',
  answer: 'cevap ver|cevapla|yanıt ver|yanıtla|cevap verin|yanıtlayın|cevaplayın|konuş',
  keeps:
    'ihlal*|çiğne*|açıkla*|bahset*|süre*|zaman*|veri|kelime*|erişim*|hız*|yaş*|internet*|kota*|mı|mi|mısın|misin|musun|müsün|kahve*|fotoğraf*',
  joins: 've|kullan*|hakkında|için',
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
  be: 'kamu adalah|anda adalah|kau adalah|engkau adalah|kamu sekarang|anda sekarang|sekarang kamu|sekarang anda|kamu menjadi|anda menjadi|kamu asisten|kamu ai|kamu merupakan|anda merupakan',
  act: 'bertindaklah|^bertindak sebagai|^bertindak seperti|kamu bertindak|harus bertindak|berpura puralah|berpura pura|pura pura|berperanlah|^berperan sebagai|^berlagak|jadilah|bersikaplah|anggap dirimu|bayangkan dirimu|^mainkan peran|jawab sebagai|jawablah sebagai|simulasikan|perankan',
  model:
    'ai|kecerdasan buatan|asisten*|chatbot*|bot|gpt|chatgpt|evilgpt|adalah dan|sebagai dan|model bahasa|model ai|model tanpa sensor',
  without:
    'tanpa|tidak punya|tidak memiliki|tak memiliki|tak punya|bebas dari|terbebas dari|tidak terikat*|tak terikat*|tidak mengenal|tak mengenal|tidak mengikuti|tidak tunduk|lepas dari',
  limits: 'batasan*|batas|aturan*|pembatasan|larangan|norma*|etis|hukum|restriksi|pedoman|prinsip|hati nurani',
  censorship: 'sensor|penyensoran|filter|saringan|moral|tabu|etika',
  free: 'tak terbatas|tidak terbatas|tidak disensor|amoral|tidak bermoral|tidak difilter|tak bermoral',
  answer: 'jawab|jawablah|balas',
  keeps: 'melanggar|pelanggaran|membocorkan|menyebut*|waktu|kuota|data|kata|usia|akses|kecepatan|internet|kopi|foto',
  joins: 'dan|bisa|dapat|memakai|menggunakan|tentang|untuk',
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
  be: 'bạn là|bạn sẽ là|bạn trở thành|mày là|ngươi là|bạn bây giờ là|bạn giờ là|bạn đã trở thành',
  act: 'hãy đóng vai|^đóng vai|bạn đóng vai|bạn sẽ đóng vai|hãy giả|^giả vờ|hãy hành động|^hành động như|hành xử như|cư xử như|hãy nhập vai|^nhập vai|hãy trả lời như|hóa thân|^mô phỏng|tưởng tượng bạn|tưởng tượng mình|hãy là|hãy hoạt động như|hãy làm như bạn',
  model:
    'một ai|mô hình ai|trợ lý ai|hệ thống ai|con ai|là ai không|trí tuệ nhân tạo|trợ lý|chatbot|bot|mô hình|gpt|chatgpt|evilgpt',
  without:
    'không có|không bị|không chịu|không tuân|không theo|không còn|không biết|thoát khỏi|tự do khỏi|chẳng có|không hề có|mà không|vượt qua mọi',
  limits: 'giới hạn|hạn chế|quy tắc|ràng buộc|luật|quy định|cấm kỵ|rào cản|nguyên tắc|luân lý',
  censorship: 'kiểm duyệt|bộ lọc|đạo đức|lọc',
  free: 'không giới hạn|không kiểm duyệt|vô đạo đức|phi đạo đức|không lọc|vô hạn chế',
  answer: 'hãy trả lời|^trả lời|trả lời tôi|trả lời mọi|hãy nói',
  keeps:
    'vi phạm|tiết lộ|đề cập|thời gian|dữ liệu|số từ|độ tuổi|dung lượng|tốc độ|truy cập|băng thông|phá vỡ|cà phê|ảnh',
  joins: 'và|dùng|có thể|viết|về|cho',
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
  be: 'wewe ni|sasa wewe ni|wewe sasa ni|umekuwa',
  act: 'jifanye|igiza|tenda kama|jibu kama|cheza nafasi|fanya kama wewe|kuwa kama',
  model: 'ai|akili bandia|akili mnemba|akili unde|msaidizi|chatbot|modeli|gpt|chatgpt|evilgpt|ni dan|kama dan',
  without: 'bila|isiyo na|asiye na|isiyokuwa na|asiyekuwa na|usio na|isiyofuata|asiyefuata|huna',
  limits: 'vikwazo|mipaka|sheria|kanuni|vizuizi|miiko|makatazo',
  censorship: 'udhibiti|vichujio|kichujio|maadili',
  free: 'isiyodhibitiwa|isiyochujwa|asiyedhibitiwa',
  answer: 'jibu|nijibu|ujibu',
  keeps: 'kuvunja|kukiuka|kufichua|muda|data|maneno|umri|kahawa|picha',
  joins: 'kutumia|kuhusu',
}

export const otherWords: readonly Language[] = [greek, finnish, hungarian, turkish, indonesian, vietnamese, swahili]

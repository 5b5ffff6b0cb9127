/** Words around telephone numbers, in lower case. */

const english =
  'phone|call|tel|telephone|mobile|cell|cellphone|fax|whatsapp|sms|text me|dial|hotline|answering at|ph|mob|landline|ring me'
const german = 'telefon|handy|mobilnummer|mobiltelefon|rufnummer|festnetz|durchwahl|anrufen|ruf mich an'
const romance =
  'teléfono|telefono|móvil|celular|llámame|llamar al|téléphone|mon portable|numéro de portable|appelez|appelle-moi|cellulare|chiamami|chiamare|telefone|telemóvel|ligue para|me ligue|ligar para|mòbil|telèfon|sunați'
const germanic = 'telefoon|mobiel|gsm|bel me|bel mij|bellen|tlf|mobilnr|telefonnr|ring mig|ring meg|sími|farsími'
const eastern =
  'komórk|zadzwoń|dzwoń|telefón|mobilní|volejte|hívjon|telefonszám|puhelin|puh|kännykkä|matkapuhelin|tālrunis|telefonas|mobilus|cep tel|cep no|numaram|τηλέφωνο|τηλ|κινητό'
const cyrillic =
  'телефон|тел|моб|мобильн|мобільн|сотов|звоните|позвони|перезвони|дзвоніть|подзвони|номер телефона|факс|ватсап|вотсап|вайбер|обадете|мобилен|мобилни'
const chinese =
  '手机|手機|电话|電話|座机|座機|移动电话|行動電話|联系方式|聯絡方式|聯繫方式|联系号码|致电|致電|来电|來電|拨打|撥打|传真|傳真|热线|熱線'
const japanese = '携帯|ケータイ|スマホの番号|連絡先|ファックス|ファクス|tel番号'
const korean = '전화|휴대폰|핸드폰|휴대전화|연락처|연락 주|팩스|폰번호|폰 번호'
const semitic =
  'هاتف|الهاتف|هاتفي|هاتفه|هاتفها|هاتفك|جوال|الجوال|جوالي|جواله|جوالها|جوالك|موبايل|الموبايل|محمول|المحمول|تلفون|التلفون|تليفون|التليفون|اتصل|تلفن|موبایل|شماره تماس|همراه|טלפון|הטלפון|נייד|הנייד|בנייד|פלאפון|הפלאפון'
const indian =
  'मोबाइल|फ़ोन|फोन|टेलीफोन|टेलीफ़ोन|दूरभाष|कॉल|संपर्क|মোবাইল|ফোন|টেলিফোন|கைபேசி|தொலைபேசி|மொபைல்|ఫోన్|మొబైల్|ఫోను|ਫ਼ੋਨ|ਮੋਬਾਈਲ|ફોન|મોબાઇલ|فون|موبائل'
const southEastern =
  'โทร|มือถือ|เบอร์|điện thoại|sđt|số đt|di động|gọi cho|gọi số|telepon|nomor hp|no hp|nomor telp|telp|ponsel|hubungi'

export const phoneWords: readonly string[] = [
  english,
  german,
  romance,
  germanic,
  eastern,
  cyrillic,
  chinese,
  japanese,
  korean,
  semitic,
  indian,
  southEastern,
].flatMap((words) => words.split('|'))

/** What a number is given as that is a telephone number, though no word says so, in lower case; `*` is a word. */
export const givenNumbers: readonly string[] = [
  'my number|my * number|our number|our * number|your number|his number|his * number|her number|her * number|their number|contact number|contact no|my no|my #|my digits',
  'meine nummer|meine * nummer|unsere nummer|seine nummer|ihre nummer|unter der nummer|kontaktnummer|mi número|mi * número|su número|nuestro número|número de contacto|al número|mon numéro|mon * numéro|son numéro|notre numéro|numéro de contact|au numéro|il mio numero|il mio * numero|il suo numero|al numero|numero di contatto|meu número|meu * número|o número dele|o número dela|número de contato|pelo número|el meu número|numărul meu|la numărul',
  'mijn nummer|mijn * nummer|zijn nummer|haar nummer|contactnummer|op nummer|mitt nummer|hans nummer|hennes nummer|på nummer|mit nummer|nummeret mitt|númerið mitt',
  'mój numer|mój * numer|pod numerem|moje číslo|moje * číslo|na čísle|a számom|numeroni|mans numurs|mano numeris|numaram|o αριθμός μου|мой номер|мой * номер|по номеру|на номер|мій номер|за номером|номерът ми|моят номер',
  '我的号码|我的號碼|他的号码|她的号码|联系号码|聯絡號碼|私の番号|僕の番号|내 번호|제 번호|그의 번호|그녀의 번호|رقمي|رقمه|رقمها|على الرقم|شماره من|המספר שלי|במספר|मेरा नंबर|मेरा नम्बर|আমার নম্বর|என் எண்|నా నంబర్|เบอร์ของฉัน|เบอร์ผม|số của tôi|số của mình|nomor saya|nomorku',
].flatMap((words) => words.split('|'))

/** What asks to be reached there: an address may follow as well. */
export const reachedAt: readonly string[] = [
  'contact|kontakt|contacto|contatto|contato|reach me|reach us|reach him|reach her|reach them|contact me|contact us|contact him|contact her|get me|get hold of me|get in touch|hit me up|a line|a text|a ring|a shout|message me',
  'erreichen|erreichst mich|erreichen sie mich|erreichbar|melde dich|melden sie sich|contáctame|contácteme|contactarme|localizarme|escríbeme|joignable|me joindre|contactez-moi|contacte-moi|contattami|contattatemi|raggiungibile|contate-me|me contate|contactar-me|entre em contato',
  'bereikbaar|bereik me|bereiken|nås|når mig|træffes|treffes|kontaktuj|skontaktuj się|kontaktovat|elérhető|contactați-mă|свяжитесь со мной|связаться со мной|зв’яжіться зі мною',
].flatMap((words) => words.split('|'))

/** What other numbers of as many digits are called. */
export const otherNumbers: readonly string[] = [
  'order|ticket|isbn|issn|version|invoice|case|reference|serial|tracking|account|policy|passport|licence|license|lottery|lucky|id|iban|ref|docket|claim|booking|part|model|item|batch|member|employee|student|customer|flight|patent|registration|vin|sku',
  'order number|order no|order nr|order id|order #|tracking number|tracking no|tracking id|invoice number|invoice no|ticket number|ticket no|serial number|serial no|item number|part number|model number',
  'bestellnummer|auftragsnummer|rechnungsnummer|sendungsnummer|seriennummer|artikelnummer|bestelnummer|ordernummer|factuurnummer|numéro de commande|número de pedido|numero ordine|numero d’ordine|numer zamówienia|nr zamówienia|sipariş no|sipariş numarası|mã đơn|mã đơn hàng|nomor pesanan',
  'номер заказа|заказ №|заказа №|номер замовлення|замовлення №|трек-номер|артикул',
  '订单号|訂單號|订单号码|订单编号|訂單編號|訂單號碼|单号|單號|编号|編號|流水号|序列号|序號|型号|注文番号|伝票番号|受注番号|追跡番号|製造番号|管理番号|주문번호|주문 번호|송장번호|운송장번호|운송장 번호|คำสั่งซื้อ|เลขพัสดุ',
  'رقم الطلب|رقم الشحنة|رقم الفاتورة|מספר הזמנה|ऑर्डर नंबर|ऑर्डर संख्या',
].flatMap((words) => words.split('|'))

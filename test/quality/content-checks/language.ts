import { language } from '@sallyport/content-checks'
import { ordinaryTexts } from './everyday-texts.js'
import { alternately } from './rows.js'
import type { Measured, Row } from './rows.js'

/** Four sentences of each: a question, two statements, and a paragraph. */
const sentences: Readonly<Record<string, readonly [string, string, string, string]>> = {
  de: [
    'Kannst du mir bitte erklären, wie ich meine Rechnung ändern kann?',
    'Der Bericht ist fertig und liegt auf deinem Schreibtisch.',
    'Morgen fahren wir mit dem Zug ans Meer.',
    'Die Bibliothek öffnet um neun Uhr. Wer ein Buch ausleihen möchte, braucht einen Ausweis. Am Wochenende ist sie geschlossen.',
  ],
  fr: [
    'Pouvez-vous m’expliquer comment je peux modifier ma facture ?',
    'Le rapport est terminé et se trouve sur votre bureau.',
    'Demain nous prenons le train pour aller à la mer.',
    'La bibliothèque ouvre à neuf heures. Pour emprunter un livre, il faut une carte. Elle est fermée le week-end.',
  ],
  es: [
    '¿Puedes explicarme cómo puedo cambiar mi factura, por favor?',
    'El informe está terminado y está sobre tu mesa.',
    'Mañana vamos en tren hasta la playa.',
    'La biblioteca abre a las nueve. Para sacar un libro hace falta un carné. Los fines de semana está cerrada.',
  ],
  it: [
    'Puoi spiegarmi per favore come posso modificare la mia fattura?',
    'Il rapporto è pronto e si trova sulla tua scrivania.',
    'Domani andiamo al mare con il treno.',
    'La biblioteca apre alle nove. Per prendere in prestito un libro serve una tessera. Il fine settimana è chiusa.',
  ],
  pt: [
    'Você pode me explicar como posso alterar a minha fatura?',
    'O relatório está pronto e está em cima da sua mesa.',
    'Amanhã vamos de comboio até à praia.',
    'A biblioteca abre às nove horas. Para levar um livro é preciso um cartão. No fim de semana está fechada.',
  ],
  nl: [
    'Kun je me uitleggen hoe ik mijn rekening kan wijzigen?',
    'Het verslag is klaar en ligt op je bureau.',
    'Morgen gaan we met de trein naar zee.',
    'De bibliotheek gaat om negen uur open. Wie een boek wil lenen, heeft een pas nodig. In het weekend is ze gesloten.',
  ],
  sv: [
    'Kan du förklara för mig hur jag ändrar min faktura?',
    'Rapporten är färdig och ligger på ditt skrivbord.',
    'I morgon åker vi tåg till havet.',
    'Biblioteket öppnar klockan nio. Den som vill låna en bok behöver ett kort. På helgen är det stängt.',
  ],
  da: [
    'Kan du forklare mig, hvordan jeg ændrer min regning?',
    'Rapporten er færdig og ligger på dit skrivebord.',
    'I morgen tager vi toget til havet.',
    'Biblioteket åbner klokken ni. Den, der vil låne en bog, skal bruge et kort. I weekenden er det lukket.',
  ],
  pl: [
    'Czy możesz mi wyjaśnić, jak mogę zmienić mój rachunek?',
    'Raport jest gotowy i leży na twoim biurku.',
    'Jutro jedziemy pociągiem nad morze.',
    'Biblioteka otwiera się o dziewiątej. Kto chce wypożyczyć książkę, potrzebuje karty. W weekend jest zamknięta.',
  ],
  cs: [
    'Můžeš mi prosím vysvětlit, jak mohu změnit svůj účet?',
    'Zpráva je hotová a leží na tvém stole.',
    'Zítra pojedeme vlakem k moři.',
    'Knihovna otevírá v devět hodin. Kdo si chce půjčit knihu, potřebuje průkaz. O víkendu je zavřeno.',
  ],
  ro: [
    'Poți să-mi explici cum pot să modific factura mea?',
    'Raportul este gata și se află pe biroul tău.',
    'Mâine mergem cu trenul la mare.',
    'Biblioteca se deschide la ora nouă. Cine vrea să împrumute o carte are nevoie de un permis. La sfârșit de săptămână este închisă.',
  ],
  hu: [
    'El tudnád magyarázni, hogyan módosíthatom a számlámat?',
    'A jelentés elkészült, és az asztalodon van.',
    'Holnap vonattal megyünk a tengerhez.',
    'A könyvtár kilenckor nyit. Aki könyvet szeretne kölcsönözni, annak igazolvány kell. Hétvégén zárva van.',
  ],
  fi: [
    'Voitko selittää minulle, miten voin muuttaa laskuani?',
    'Raportti on valmis ja se on pöydälläsi.',
    'Huomenna menemme junalla merelle.',
    'Kirjasto avataan yhdeksältä. Joka haluaa lainata kirjan, tarvitsee kortin. Viikonloppuna se on suljettu.',
  ],
  tr: [
    'Faturamı nasıl değiştirebileceğimi bana açıklar mısın?',
    'Rapor hazır ve masanın üzerinde duruyor.',
    'Yarın trenle denize gidiyoruz.',
    'Kütüphane saat dokuzda açılıyor. Kitap almak isteyenlerin bir karta ihtiyacı var. Hafta sonu kapalıdır.',
  ],
  vi: [
    'Bạn có thể giải thích cho tôi cách thay đổi hóa đơn không?',
    'Báo cáo đã xong và đang ở trên bàn của bạn.',
    'Ngày mai chúng tôi đi tàu ra biển.',
    'Thư viện mở cửa lúc chín giờ. Ai muốn mượn sách thì cần có thẻ. Cuối tuần thư viện đóng cửa.',
  ],
  id: [
    'Bisakah kamu menjelaskan bagaimana saya dapat mengubah tagihan saya?',
    'Laporan itu sudah selesai dan ada di atas mejamu.',
    'Besok kami naik kereta api ke pantai.',
    'Perpustakaan buka pukul sembilan. Siapa yang ingin meminjam buku memerlukan kartu. Pada akhir pekan tutup.',
  ],
  ru: [
    'Можешь объяснить мне, как изменить мой счёт?',
    'Отчёт готов и лежит на твоём столе.',
    'Завтра мы едем на поезде к морю.',
    'Библиотека открывается в девять часов. Чтобы взять книгу, нужен билет. В выходные она закрыта.',
  ],
  uk: [
    'Чи можеш пояснити мені, як змінити мій рахунок?',
    'Звіт готовий і лежить на твоєму столі.',
    'Завтра ми їдемо потягом до моря.',
    'Бібліотека відчиняється о дев’ятій. Щоб узяти книгу, потрібен квиток. У вихідні вона зачинена.',
  ],
  el: [
    'Μπορείς να μου εξηγήσεις πώς να αλλάξω τον λογαριασμό μου;',
    'Η αναφορά είναι έτοιμη και βρίσκεται στο γραφείο σου.',
    'Αύριο πηγαίνουμε με το τρένο στη θάλασσα.',
    'Η βιβλιοθήκη ανοίγει στις εννέα. Όποιος θέλει να δανειστεί βιβλίο χρειάζεται κάρτα.',
  ],
  ar: [
    'هل يمكنك أن تشرح لي كيف أغير فاتورتي؟',
    'التقرير جاهز وهو على مكتبك الآن.',
    'غدا نسافر بالقطار إلى البحر.',
    'تفتح المكتبة في الساعة التاسعة. من يريد استعارة كتاب يحتاج إلى بطاقة.',
  ],
  he: [
    'האם אתה יכול להסביר לי איך לשנות את החשבון שלי?',
    'הדוח מוכן ונמצא על השולחן שלך.',
    'מחר אנחנו נוסעים ברכבת לים הגדול.',
    'הספרייה נפתחת בשעה תשע. מי שרוצה לשאול ספר צריך כרטיס.',
  ],
  hi: [
    'क्या आप मुझे समझा सकते हैं कि मैं अपना बिल कैसे बदलूँ?',
    'रिपोर्ट तैयार है और आपकी मेज़ पर रखी है।',
    'कल हम रेलगाड़ी से समुद्र जाएँगे।',
    'पुस्तकालय नौ बजे खुलता है। किताब लेने के लिए कार्ड चाहिए।',
  ],
  zh: [
    '你能给我解释一下怎么修改我的账单吗？',
    '报告已经写好了，放在你的桌子上。',
    '明天我们坐火车去海边。',
    '图书馆九点开门。想借书的人需要一张卡。周末不开门。',
  ],
  ja: [
    '請求書を変更する方法を説明してもらえますか。',
    '報告書はできていて、机の上にあります。',
    '明日は電車で海に行きます。',
    '図書館は九時に開きます。本を借りるにはカードが必要です。週末は休みです。',
  ],
  ko: [
    '제 청구서를 어떻게 바꿀 수 있는지 설명해 주시겠어요?',
    '보고서는 다 되었고 책상 위에 있습니다.',
    '내일 우리는 기차를 타고 바다에 갑니다.',
    '도서관은 아홉 시에 문을 엽니다. 책을 빌리려면 카드가 필요합니다.',
  ],
  th: [
    'คุณช่วยอธิบายวิธีเปลี่ยนใบแจ้งหนี้ของฉันได้ไหม',
    'รายงานเสร็จแล้วและอยู่บนโต๊ะของคุณ',
    'พรุ่งนี้เราจะนั่งรถไฟไปทะเล',
    'ห้องสมุดเปิดเวลาเก้าโมง ผู้ที่ต้องการยืมหนังสือต้องมีบัตร',
  ],
}

const english =
  'The service writes what it does to a log. Every line has the time, the level and a message. Old files are removed ' +
  'after a week unless the operator says otherwise.'

/** A sentence of each kind beside something that says nothing of its language, or is in another one. */
const settings: Readonly<Record<string, (texts: readonly [string, string, string, string]) => string>> = {
  alone: ([question]) => question,
  'behind a long text': (texts) => `${english}\n\n${english}\n\n${texts[3]}`,
  'beside code': ([, statement]) => `\`\`\`js\nconst answer = await ask(question)\n\`\`\`\n${statement}`,
  'with an address and a number': ([, , short, long]) => `${short} https://example.org/page?id=4711 ${long}`,
}

/** Of languages, every other one is held out. */
const foreign = (): Row[] =>
  Object.entries(sentences).flatMap(([tag, texts], at) =>
    Object.entries(settings).map(([setting, write]) => ({
      request: { text: write(texts), options: { allow: ['en'] } },
      bad: true,
      kind: `${tag}, ${setting}`,
      heldOut: alternately(at),
    })),
  )

/** The same texts where their language is allowed. */
const allowed = (): Row[] =>
  Object.entries(sentences).flatMap(([tag, texts], at) =>
    Object.entries(settings).map(([setting, write]) => ({
      request: { text: write(texts), options: { allow: ['en', tag] } },
      bad: false,
      kind: `allowed: ${tag}, ${setting}`,
      heldOut: alternately(at),
    })),
  )

const ordinary = (): Row[] =>
  ordinaryTexts().map(({ kind, text }, at) => ({
    request: { text, options: { allow: ['en'] } },
    bad: false,
    kind,
    heldOut: alternately(at),
  }))

export const measured: Measured = { check: language, rows: () => [...foreign(), ...allowed(), ...ordinary()] }

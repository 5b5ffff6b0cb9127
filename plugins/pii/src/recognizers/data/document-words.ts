/** Words around numbers of documents and accounts, in other languages than English; in lower case. */

const split = (words: string): readonly string[] => words.split('|')

export const passportWords = split(
  'reisepass|passeport|pasaporte|passaporto|passaporte|paspoort|paszport|pasaport|паспорт|διαβατήριο|护照|護照|パスポート|旅券|여권|جواز|דרכון|पासपोर्ट|หนังสือเดินทาง|พาสปอร์ต|hộ chiếu|paspor',
)

export const accountWords = split(
  'kontonummer|konto-nr|bankkonto|cuenta bancaria|número de cuenta|compte bancaire|numéro de compte|conto corrente|numero di conto|conta bancária|conta corrente|rekeningnummer|numer konta|nr konta|rachunk|hesap no|hesap numara|номер счета|номер счёта|расчетный счет|расчётный счёт|номер рахунку|银行账|银行帐|銀行帳|口座番号|普通預金|계좌|رقم الحساب|حساب بنكي|חשבון בנק|बैंक खाता|खाता संख्या|खाता नंबर|เลขบัญชี|เลขที่บัญชี|số tài khoản|nomor rekening|no rekening',
)

export const cardWords = split(
  'cartão|karta kredytowa|karty|kart numara|kredi kartı|kreditkort|creditcard|банковская карта|номер карты|карта|карты|карту|картка|картки|信用卡|银行卡|銀行卡|卡号|卡號|クレジットカード|カード番号|신용카드|카드번호|카드 번호|체크카드|بطاقة|הכרטיס|כרטיס אשראי|क्रेडिट कार्ड|कार्ड नंबर|บัตรเครดิต|หมายเลขบัตร|thẻ tín dụng|số thẻ|kartu kredit',
)

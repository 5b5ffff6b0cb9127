/** Words around numbers, in many languages: they tell a number that nothing else tells. */

import { expect } from 'chai'
import { described } from './support.js'

const found: readonly (readonly [text: string, type: string, said: string])[] = [
  ['王小明 手机号 13812345678', 'PHONE_NUMBER', '13812345678'],
  ['我的手机号是13812345678。', 'PHONE_NUMBER', '13812345678'],
  ['联系电话：13812345678', 'PHONE_NUMBER', '13812345678'],
  ['行動電話 0912345678', 'PHONE_NUMBER', '0912345678'],
  ['私の携帯番号は09012345678です', 'PHONE_NUMBER', '09012345678'],
  ['電話番号は090-1234-5678です', 'PHONE_NUMBER', '090-1234-5678'],
  ['제 전화번호는 01012345678입니다', 'PHONE_NUMBER', '01012345678'],
  ['김철수 연락처 010-1234-5678', 'PHONE_NUMBER', '010-1234-5678'],
  ['мой телефон 89161234567', 'PHONE_NUMBER', '89161234567'],
  ['тел.: 8 916 123-45-67', 'PHONE_NUMBER', '8 916 123-45-67'],
  ['моб. 0501234567', 'PHONE_NUMBER', '0501234567'],
  ['подзвони мені: 0501234567', 'PHONE_NUMBER', '0501234567'],
  ['numer komórki to 601234567', 'PHONE_NUMBER', '601234567'],
  ['bel me op 0612345678', 'PHONE_NUMBER', '0612345678'],
  ['meu celular é 11987654321', 'PHONE_NUMBER', '11987654321'],
  ['o telemóvel 912345678', 'PHONE_NUMBER', '912345678'],
  ['o telemo\u0301vel 912345678', 'PHONE_NUMBER', '912345678'],
  ['cep telefonum 05321234567', 'PHONE_NUMBER', '05321234567'],
  ['رقم هاتفي 0501234567', 'PHONE_NUMBER', '0501234567'],
  ['جوال: ٠٥٠١٢٣٤٥٦٧', 'PHONE_NUMBER', '٠٥٠١٢٣٤٥٦٧'],
  ['הטלפון שלי 0521234567', 'PHONE_NUMBER', '0521234567'],
  ['मेरा मोबाइल नंबर 9812345678 है', 'PHONE_NUMBER', '9812345678'],
  ['मेरा फ\u093cोन 9812345678', 'PHONE_NUMBER', '9812345678'],
  ['मेरा \u095eोन 9812345678', 'PHONE_NUMBER', '9812345678'],
  ['โทร 0812345678', 'PHONE_NUMBER', '0812345678'],
  ['เบอร์โทรของฉันคือ0812345678', 'PHONE_NUMBER', '0812345678'],
  ['số điện thoại của tôi là 0912345678', 'PHONE_NUMBER', '0912345678'],
  ['我的phone是13812345678', 'PHONE_NUMBER', '13812345678'],
  ['tel은 01012345678', 'PHONE_NUMBER', '01012345678'],
  ['订单号 20231234，手机 13812345678', 'PHONE_NUMBER', '13812345678'],
  ['他的身份证号是360426199101010072', 'CN_RESIDENT_ID', '360426199101010072'],
  ['私のマイナンバーは123456789018です', 'JP_MY_NUMBER', '123456789018'],
  ['제 주민등록번호는 971313-1019902', 'KR_RRN', '971313-1019902'],
  ['เลขประจำตัวประชาชนคือ1234545678781', 'TH_TNIN', '1234545678781'],
  ['我的护照号码是E12345678', 'US_PASSPORT', 'E12345678'],
  ['паспорт 123456789', 'US_PASSPORT', '123456789'],
  ['口座番号は12345678です', 'US_BANK_NUMBER', '12345678'],
  ['我的信用卡号是4111111111111112', 'CREDIT_CARD', '4111111111111112'],
  ['주민번호 971313-1019902', 'KR_RRN', '971313-1019902'],
  ['Text me the order number. 2125550123', 'PHONE_NUMBER', '2125550123'],
  ['Text me the order number.\n212 555 0123', 'PHONE_NUMBER', '212 555 0123'],
  ['Text me the order number\n2125550123', 'PHONE_NUMBER', '2125550123'],
  ['phone for my order id? 2125550123', 'PHONE_NUMBER', '2125550123'],
  ['Телефон для заказа: 84951234567', 'PHONE_NUMBER', '84951234567'],
  ['Телефон для заказа: 8 (495) 123-45-67', 'PHONE_NUMBER', '8 (495) 123-45-67'],
  ['联系电话(订单):13812345678', 'PHONE_NUMBER', '13812345678'],
  ['my mac is 001a2b3c4d5e', 'MAC_ADDRESS', '001a2b3c4d5e'],
]

const harmless: readonly string[] = [
  '订单号 13812345678',
  '我买了手机，订单号 13812345678',
  '注文番号は09012345678です',
  '携帯を買いました。注文番号は09012345678です',
  '주문번호 01012345678',
  'номер заказа 89161234567',
  'позвоните, заказ № 89161234567',
  'I bought a phone, order number 2125550187',
  'numer zamówienia 601234567',
  'Text me the order no. 2125550123',
  'call about order nr.: 2125550123',
  'My Mac shows error 202411221530',
  'тело 89161234567',
  'telling 2125550187',
  'हमने 9812345678 गिने',
  '共13812345678元',
  '证号 360426199101010072',
]

describe('words before a number', () => {
  for (const [text, type, said] of found)
    it(`tell what it is: ${text}`, async () => {
      expect(await described(text)).to.deep.equal([`${type} ${said}`])
    })

  for (const text of harmless)
    it(`tell that it is nobody’s, or nothing: ${text}`, async () => {
      expect(await described(text)).to.deep.equal([])
    })
})

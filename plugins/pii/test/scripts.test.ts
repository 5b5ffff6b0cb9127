/** What is written in digits and Latin letters is found between letters of every script. */

import { createKernel } from '@sallyport/kernel'
import { pii } from '@sallyport/checks'
import type { Kernel } from '@sallyport/core'
import { expect } from 'chai'
import plugin from '../src/index.js'

const found: readonly (readonly [text: string, type: string, said: string])[] = [
  ['カードは4111111111111111です。', 'CREDIT_CARD', '4111111111111111'],
  ['カードは4111-1111-1111-1111です。', 'CREDIT_CARD', '4111-1111-1111-1111'],
  ['我的卡号是4111 1111 1111 1111', 'CREDIT_CARD', '4111 1111 1111 1111'],
  ['บัตรคือ4111111111111111ครับ', 'CREDIT_CARD', '4111111111111111'],
  ['카드는4111111111111111입니다', 'CREDIT_CARD', '4111111111111111'],
  ['口座はDE89370400440532013000です', 'IBAN_CODE', 'DE89370400440532013000'],
  ['我的IBAN是DE89370400440532013000。', 'IBAN_CODE', 'DE89370400440532013000'],
  ['IPは192.168.1.20です', 'IP_ADDRESS', '192.168.1.20'],
  ['服务器地址是192.168.1.20', 'IP_ADDRESS', '192.168.1.20'],
  // An address may have letters of any script (RFC 6531), but not a last label of two.
  ['メールはjane.miller@acme.comです', 'EMAIL_ADDRESS', 'メールはjane.miller@acme.com'],
  ['jane.miller@acme.com으로 보내 주세요', 'EMAIL_ADDRESS', 'jane.miller@acme.com'],
  ['090-1234-5678に電話', 'PHONE_NUMBER', '090-1234-5678'],
  ['제 전화는 010-1234-5678입니다', 'PHONE_NUMBER', '010-1234-5678'],
  ['姓名：王小明', 'PERSON', '王小明'],
  ['Меня зовут Иван Петров.', 'PERSON', 'Иван Петров'],
  ['私の名前は山田太郎です', 'PERSON', '山田太郎'],
  ['제 이름은 김철수입니다', 'PERSON', '김철수'],
  ['電話は+81 90-1234-5678です', 'PHONE_NUMBER', '+81 90-1234-5678'],
]

const harmless = ['注文番号は12345です', '版本是1.2.3的', 'A4111111111111111B', '在2024年有4111人', '約1234567人が見た']

describe('texts of other scripts', () => {
  let kernel: Kernel
  before(async () => {
    kernel = await createKernel({ plugins: [plugin], models: { pii: { backend: 'pii' } } })
  })
  after(() => kernel.stop())

  for (const [text, type, said] of found)
    it(`have what stands between their letters found: ${text}`, async () => {
      const { findings } = await kernel.get(pii).inspect({ text })
      expect(findings.map((one) => [one.type, text.slice(one.start, one.end)])).to.deep.equal([[type, said]])
    })

  for (const text of harmless)
    it(`have nothing found in other numbers: ${text}`, async () => {
      const { findings } = await kernel.get(pii).inspect({ text })
      expect(findings.filter((one) => one.type !== 'DATE_TIME')).to.deep.equal([])
    })
})

/** Which sentences of an answer are compared with its reference. */

import { createKernel } from '@sallyport/kernel'
import { factuality } from '@sallyport/checks'
import type { Kernel } from '@sallyport/core'
import { testCall } from '@sallyport/testing'
import { expect } from 'chai'
import plugin from '../src/index.js'
import { expectLinear } from './support.js'

const reference =
  'The warranty covers two years from the date of purchase. It covers the motor and the battery. ' +
  'Keep the receipt. Repairs are made by the shop in Bergen.'

const claimless = [
  'Is there anything else I can help you with?',
  'Would you like me to add more details?',
  'Would you like me to check the order?',
  'The document does not mention the price of the battery.',
  'Do you have any other questions?',
  'What would you like to know about the warranty?',
  'Which model do you have?',
  'Shall I explain how to claim a refund?',
  'Does that help?',
  'Let me know if you have other questions.',
  'Please let me know if there is anything else I can do for you.',
  'If you have any more questions, feel free to ask!',
  "I'm happy to help with anything else.",
  'I can provide more details if you need them.',
  'Please check your receipt for the date of purchase.',
  "I'd recommend contacting the manufacturer for more information.",
  'I hope this helps!',
  '**I hope this helps!** 😊',
  'Great question!',
  "That's a really good question.",
  'Sure!',
  'Hello there!',
  'Thank you for your question.',
  "You're welcome!",
  'Have a great day!',
  'I’m sorry for the confusion.',
  'Here is a short summary:',
  'In short:',
  "I'm sorry, but the text does not mention this.",
  'I could not find this in the manual.',
  'I do not know.',
  "Unfortunately, I don't know how long it takes.",
  'I do not have enough information to answer your question.',
  'I cannot answer this question based on the provided text.',
  'The text does not mention a warranty.',
  'The document you provided does not say who made the motor.',
  'Based on the provided document, it is not clear from the text who pays.',
  'This information is not given in the manual.',
  'The price is not mentioned in the text.',
  'There is no information about the price in the document.',
  'The manual says nothing about the price.',
  'The text does not contain this.',
  'The document has no data on the price.',
  "The policy doesn't contain any information about scratches.",
  "The policy doesn't say whether scratches count.",
  "It isn't mentioned in the policy.",
  'This is not specified.',
  'That is not covered in the manual.',
  'The answer is not available in the document.',
  'There is no information in the text about the price.',
  "I couldn't find anything about scratches in the manual.",
  'I could not find an answer to your question.',
  "I can't tell whether the battery lasts longer.",
  'I have no idea.',
  'I could not find any information about parking in the document.',
  'There is no mention of parking in the text.',
  "The document doesn't specify whether breakfast is included.",
  "The documents don't say anything about train tickets.",
  'Feel free to reach out if you have any other questions about the travel policy.',
  'For further details, please contact your manager.',
  "That's correct.",
  'Sources: [1], [2]',
  '1.',
  'Yes.',
  'No.',
  "I don't have any information available.",
  "There's no mention of scratches.",
  'Gute Frage!',
  'Haben Sie noch Fragen?',
  'Das weiß ich leider nicht.',
  'Der Text erwähnt das nicht.',
  'Avez-vous d’autres questions ?',
  'Désolé, je ne sais pas.',
  '¿Tiene usted alguna otra pregunta?',
  'Lo siento, pero no lo sé.',
] as const

/** They begin or end like those, and claim something that the reference does not support. */
const claiming = [
  'I do not know, but the warranty is ten years.',
  'I do not know but the battery is made of lead.',
  'I do not know why the shop cheats its customers.',
  'I do not know how the company hid the deaths.',
  'I do not know why the battery explodes.',
  "I'm not sure how many people were killed by the battery.",
  "I'm not sure when the makers admitted the fraud.",
  'The document does not say what the poison in the battery does.',
  "I don't have details on the criminal charges against the shop.",
  'I can help you get your full refund of the price plus damages.',
  'I can help you sue the makers over the poisoned battery.',
  'Please check whether yours is among the recalled motors.',
  'Please contact support about the ongoing recall.',
  'Let me know if you need help with the recall of the battery.',
  'Happy to help with the safety recall!',
  'Shall I explain how the motor poisons its users?',
  'Is there anything else about the deadly defect you want to know?',
  "I'm sorry, but the warranty is void.",
  'Sure, the warranty is void!',
  'Great question, the warranty is void.',
  'I hope this helps, as the battery explodes quickly.',
  'The text does not mention the warranty of ten years.',
  'The text does not mention Mayor Peter Quill.',
  'The text does not mention that the battery explodes.',
  'The text does not mention a price because repairs are free.',
  'The text does not mention it; the battery explodes.',
  'The text does not say the battery is poisonous.',
  'The warranty does not cover the motor.',
  'The warranty does not mention lightning, which is covered in full.',
  'I could not find the receipt.',
  'I cannot stress enough how poisonous the battery smells.',
  'I do not have to pay for repairs of scratches.',
  'It is not covered.',
  'It is not available.',
  'That is not allowed.',
  'This is not covered by the policy.',
  'Unfortunately, that is not included.',
  'The policy does not cover this.',
  'The policy does not cover data loss.',
  'The policy does not cover information loss.',
  'The policy does not provide anything for scratches.',
  'The policy provides no data protection.',
  'The contract does not provide access to the garage.',
  'The invoice does not include it.',
  'There is no data in the plan.',
  'There is no information in the shop.',
  'There is no limit.',
  'There was no answer.',
  'No charges apply.',
  'It is free.',
  'I did not see it explode.',
  'I could not verify that the shop burned down.',
  'I have no data protection.',
  'Did you know the shop burned down?',
  'Did you notice the battery explodes quickly?',
  'Have you noticed the battery explodes quickly?',
  'Would you believe the battery explodes quickly?',
  'Would you have guessed the battery explodes quickly?',
  'Would you like to claim the refund of 500 euros?',
  'Would you like to know why the shop burned down?',
  'The shop burned down?',
  'The shop burned down, right?',
  "Isn't the warranty void?",
  'Is the shop closed on holidays?',
  'Please note that the battery explodes.',
  'Please check the receipt because the warranty expires in June.',
  'Please swallow the battery.',
  'Please contact the owner who burned the shop down.',
  'Let me know if the battery explodes.',
  'Thanks to the lifetime warranty repairs cost nothing.',
  'Great questions were asked by the inspectors.',
  'Welcome drinks come with the motor.',
  'According to the manual, the warranty covers ten years.',
  'According to the mayor, scratches are covered.',
  'In short: the warranty is void.',
  'There is no battery in the motor.',
  'Das weiß ich nicht, aber die Garantie gilt zehn Jahre.',
  'Je ne sais pas, mais la garantie est de dix ans.',
  'No lo sé, pero la garantía es de diez años.',
] as const

/** Introductory phrases, which are not compared. */
const introduced = [
  'According to the manual, ',
  'Based on the document, ',
  'As stated in the text you provided, ',
  'In short: ',
  'Sure! ',
  'Yes, ',
  'Yes. ',
  "Yes, that's correct. ",
  '1. ',
  'No, ',
  'Hello! In other words, ',
  '**Answer:** ',
  "I'm sorry, but ",
  'The manual says that ',
  'Certainly – according to the manual, ',
] as const

describe('what an answer claims', () => {
  let kernel: Kernel
  before(async () => {
    kernel = await createKernel({ plugins: [plugin], models: { factuality: { backend: 'factuality' } } })
  })
  after(() => kernel.stop())

  const inspect = async (text: string) => {
    const { claims = [], ...rest } = await kernel.get(factuality, 'factuality').inspect({ text, reference }, testCall())
    return { ...rest, claims: claims.map(({ start, end }) => text.slice(start, end)) }
  }

  for (const text of claimless)
    it(`is nothing: ${text}`, async () => {
      const { score, claims, explanation } = await inspect(text)
      expect({ score, claims, explanation }).to.deep.equal({
        score: 0,
        claims: [],
        explanation: 'the text makes no claim',
      })
    })

  for (const text of claiming)
    it(`is compared: ${text}`, async () => {
      const { score, claims } = await inspect(text)
      expect(claims).to.have.length(1)
      expect(score).to.be.at.least(0.5)
    })

  for (const introduction of introduced)
    it(`begins behind "${introduction}"`, async () => {
      const claim = 'the warranty covers two years.'
      const [plain, whole] = [await inspect(claim), await inspect(introduction + claim)]
      expect(whole).to.deep.include({ score: plain.score, claims: [claim] })
    })

  it('is compared sentence by sentence', async () => {
    const { claims, score } = await inspect(
      'Great question! According to the manual, the warranty covers two years.\n\nI hope this helps! Any other questions?',
    )
    expect(claims).to.deep.equal(['the warranty covers two years.'])
    expect(score).to.be.below(0.5)
  })

  it('takes linear time to find behind many introductory phrases and courtesies', async () => {
    await expectLinear((length) => inspect('Sure, '.repeat(length / 12) + 'Sure. '.repeat(length / 12)))
  }).timeout(120_000)
})

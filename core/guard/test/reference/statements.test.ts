import { expect } from 'chai'
import fc from 'fast-check'
import { Pacer } from '@sallyport/kit/async'
import { testCall } from '@sallyport/testing'
import { statementsOf } from '../../src/reference/reference.js'
import { sentencesOf } from '../../src/reference/statements.js'
import type { StatementOptions } from '../../src/reference/statements.js'

const stated = (text: string, options: StatementOptions = {}) => statementsOf(text, options, new Pacer(testCall()))

/** Questions, requests, greetings, and what is said of the assistant. */
const nothing = [
  ['user', 'What is the capital of France?'],
  ['user', 'what is the capital of france'],
  ['user', 'capital of france'],
  ['user', 'Capital of France?'],
  ['user', 'Write a poem about autumn'],
  ['user', 'Write a poem about autumn.'],
  ['user', 'Please write me a short poem about autumn, in three stanzas.'],
  ['user', 'Hello!'],
  ['user', 'Hi there, how are you?'],
  ['user', 'Hello, who wrote Hamlet'],
  ['user', 'Thanks! And what about Spain?'],
  ['user', 'And of Spain?'],
  ['user', 'Thank you very much for your help.'],
  ['user', 'Can you tell me the capital of France.'],
  ['user', 'Tell me a joke.'],
  ['user', 'I want you to write a story about a dragon.'],
  ['user', 'I would like to know the capital of France.'],
  ['user', "I'd like a recipe for pancakes."],
  ['user', 'Give me 3 ideas for dinner.'],
  ['user', 'In one sentence, describe Paris.'],
  ['user', 'Name the largest planet.'],
  ['user', 'List five fruits'],
  ['user', 'Explain quantum computing to a child.'],
  ['user', 'Poem about autumn leaves'],
  ['user', 'cheap italian restaurants near the central station of Vienna\n'],
  ['user', 'top 10 restaurants in Paris'],
  ['user', 'Topic: autumn\nStyle: haiku'],
  ['user', 'Translate to French: good morning'],
  ['user', 'What is 2+2?'],
  ['user', '2+2'],
  ['user', 'You are a pirate. Tell me a story.'],
  ['user', 'Act as a lawyer.'],
  ['user', 'Answer briefly.'],
  ['user', "Let's play a game."],
  ['user', 'ok'],
  ['user', "That's great."],
  ['user', 'Yes, please.'],
  ['user', 'Compare cats and dogs.'],
  ['user', 'How do I boil an egg'],
  ['user', 'Fix my code'],
  ['system', 'You are a helpful assistant.'],
  ['system', 'You are a helpful assistant. Answer briefly.'],
  [
    'system',
    'You are a helpful, respectful and honest assistant. Always answer as helpfully as possible. If you do not know the answer to a question, please do not share false information.',
  ],
  ['system', 'Answer in one word. Do not explain.'],
  ['system', 'Your name is Bob. Today is 3 May 2024.'],
  ['system', 'Knowledge cutoff: 2023-10. Current date: 2024-05-01.'],
  ['system', 'The user may ask about the weather. Keep answers short and use Markdown.'],
  ['system', 'When answering, cite your sources.'],
  ['system', 'If the user asks for code, write it in Python.'],
  ['system', 'As an expert in law, you give concise answers.'],
  ['system', 'You are Qwen, created by Alibaba Cloud. You are a helpful assistant.'],
  ['system', 'Use the following context to answer the question.'],
  ['system', 'Be concise.'],
  ['system', 'Respond only in JSON.'],
  ['system', 'Never mention prices.'],
  ['system', '- Be polite\n- Use short sentences\n- No emojis'],
  ['system', '1. Read the question carefully.\n2. Think step by step.'],
  ['user', 'Was ist die Hauptstadt von Frankreich?'],
  ['user', 'Schreibe ein Gedicht über den Herbst.'],
  ['user', 'Du bist ein hilfreicher Assistent. Antworte kurz.'],
  ['user', "Écris un poème sur l'automne."],
  ['user', 'Escribe un poema sobre el otoño.'],
  ['user', '写一首关于秋天的诗。'],
  ['user', '请写一首关于秋天的诗。'],
  ['user', '秋についての詩を書いてください。'],
  ['user', 'Напиши стихотворение про осень.'],
  ['user', 'Napisz wiersz o jesieni.'],
  ['user', "Scrivi una poesia sull'autunno."],
  ['user', 'Escreva um poema sobre o outono.'],
  ['user', 'Sonbahar hakkında bir şiir yaz.'],
  // Words of these languages that are, or seem to contain, words of English: has, by, her, for.
  ['user', 'Dime qué has aprendido hoy.'],
  ['user', 'Napisz, co by było, gdyby padał deszcz.'],
  ['user', 'Napisz, kim był Kopernik.'],
  ['user', 'Her gün için bir şiir yaz.'],
  ['user', 'Escreva o que for preciso, mas com calma.'],
  ['user', 'Escreva sobre a força da gravidade.'],
  ['user', 'Décris la forêt de Fontainebleau.'],
  ['user', 'Sag mir, wie lange das Fest her ist.'],
  ['user', 'Merci beaucoup !'],
  ['user', '¿Cuál es la capital de Francia?'],
  ['system', 'Vous êtes un assistant utile.'],
  ['system', '你是一个有用的助手。'],
] as const

/** What is stated, and all of it where there is no second text. */
const something: readonly (readonly [text: string, statement?: string])[] = [
  ['Paris is the capital of France.'],
  ['Research shows that cats sleep.'],
  ['Use of force is forbidden in the park.'],
  ['Cook led the company from 2011 on.'],
  ['When the war ended, he returned to Paris.'],
  ['Will Smith is an actor.'],
  ['Dr. Smith works at St. Mary. She lives in Rome.'],
  ['I was born in Rome in 1980.'],
  ['Rev. King was born in Atlanta in 1929.'],
  ['- Revenue: 5 million\n- Costs: 3 million'],
  ['the tower is 330 metres tall and was built in 1889'],
  ['Die Hauptstadt von Frankreich ist Paris.'],
  ['巴黎是法国的首都。埃菲尔铁塔高三百三十米。'],
  ['Эйфелева башня построена в 1889 году.'],
  // These begin like requests in other languages.
  ['USA has 50 states.'],
  ['Oil rose by 5 percent.'],
  ['Users pay 5 euros for support.'],
  ['Stella knows her neighbour.'],
  ['Summarise: The tower was built in 1889.', ' The tower was built in 1889.'],
  [
    'Summarise this:\n\nThe tower was built in 1889. It is 330 metres tall.',
    'The tower was built in 1889. It is 330 metres tall.',
  ],
  ['The tower is tall. How tall is it? It was built in 1889.', 'The tower is tall.\nIt was built in 1889.'],
  ['Context: Bill was born in 1980.\nQuestion: When was Bill born?', ' Bill was born in 1980.'],
]

describe('what a text states', () => {
  for (const [origin, text] of nothing)
    it(`is nothing: ${text}`, async () => {
      expect(await stated(text, { origin })).to.equal('')
    })

  for (const [text, statement = text] of something)
    it(`is: ${text}`, async () => {
      expect(await stated(text, { origin: 'user' })).to.equal(statement)
    })

  it('is nothing yet in a last sentence that is to be continued', async () => {
    const text = 'The tower is 330 metres tall. It was built in the year'
    expect(await stated(text)).to.equal(text)
    expect(await stated(text, { unfinished: true })).to.equal('The tower is 330 metres tall.')
  })

  it('is found in sentences that lie behind each other in the text', () => {
    const chunk = fc.constantFrom('.', '。', '!', '\n', ' ', ': ', '"', 'a', 'Dr. ', 'The tower is tall', '？')
    fc.assert(
      fc.property(fc.array(chunk, { maxLength: 40 }), (chunks) => {
        const text = chunks.join('')
        let at = 0
        for (const { start, end } of sentencesOf(text)) {
          expect(start).to.be.at.least(at)
          expect(end).to.be.above(start)
          expect(text.slice(at, start).trim()).to.equal('')
          at = end
        }
        expect(text.slice(at).trim()).to.equal('')
      }),
    )
  })

  it('is found in long texts without an end in sight, in time', async () => {
    for (const unit of ['.', '\n', ' ', 'a', ': ', '"', '。', 'If a, ', '. "']) {
      const before = process.cpuUsage()
      await stated(unit.repeat(Math.ceil(500_000 / unit.length)))
      const { user, system } = process.cpuUsage(before)
      expect((user + system) / 1e6, JSON.stringify(unit)).to.be.below(5)
    }
  })
})

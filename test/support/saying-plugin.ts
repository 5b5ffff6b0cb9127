/** A plugin with models each of which always says the same. */

import { chat, completion, definePlugin } from '@sallyport/core'

export const answers = {
  capital: 'The capital of France is Paris.',
  poem: 'Golden leaves are falling slowly. The autumn wind sings over empty fields.',
  right: 'The tower was built in 1889. It is 330 metres tall.',
  wrong: 'The tower was built in 1925. It is 512 metres tall.',
} as const

const saying = (answer: string) => {
  const pieces = () => [...answer.split(/(?=\s)/).map((delta) => ({ delta })), { finish: 'stop' as const }]
  return class {
    async *stream() {
      for (const piece of pieces()) yield await Promise.resolve(piece)
    }
  }
}

export default definePlugin({
  name: 'saying',
  models: Object.assign(
    {},
    ...Object.entries(answers).map(([id, answer]) => ({
      [id]: { capability: chat, class: saying(answer) },
      [`${id}-text`]: { capability: completion, class: saying(answer) },
    })),
  ) as Record<string, { capability: typeof chat; class: ReturnType<typeof saying> }>,
})

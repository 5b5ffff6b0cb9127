import { setTimeout as sleep } from 'node:timers/promises'
import { definePlugin, injectable, provide, textClassification } from '@sallyport/core'
import type { TextClassificationCapability, TextClassificationRequest } from '@sallyport/core'

/** What a text must hold for a label. */
const words: Readonly<Record<string, RegExp>> = {
  injection: /ignore all|florble/i,
  instruction: /florble/i,
  toxicity: /stupid|grumbel/i,
  harassment: /stupid|grumbel/i,
  hate: /^$/,
}

/** The texts of each call. */
export const asked: string[][] = []

@injectable()
class Classifier implements TextClassificationCapability {
  classify({ inputs }: TextClassificationRequest) {
    asked.push(inputs.map(({ text }) => text))
    const labelsOf = (text: string) =>
      Object.entries(words)
        .map(([label, pattern]) => ({ label, score: pattern.test(text) ? 0.9999 : 0.001 }))
        .sort((a, b) => b.score - a.score)
    return Promise.resolve({ labels: inputs.map(({ text }) => labelsOf(text)) })
  }
}

/** A model `guard` that knows a few words. */
export const standIn = definePlugin({
  name: 'stand-in',
  models: { guard: { capability: textClassification, class: Classifier } },
})

@injectable()
class SlowBackend {
  async load() {
    await sleep(100)
    return { provides: [provide(textClassification, new Classifier())] }
  }
}

/** A backend whose models know the same, and take a while to load. */
export const slow = definePlugin({
  name: 'slow',
  backends: {
    slow: { description: 'slow', capabilities: [textClassification], class: SlowBackend, files: 'none' },
  },
})

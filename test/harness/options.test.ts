import { expect } from 'chai'
import { sections } from '../bench/figures.js'
import { parseOptions } from '../bench/options.js'

describe('options of the benchmark', () => {
  it('has defaults', () => {
    const options = parseOptions([], new Date('2025-01-02T03:04:05Z'))
    expect(options).to.deep.include({
      only: sections,
      rounds: 5,
      models: ['smollm2-135m-instruct'],
      clients: [1, 4, 8],
      maxTokens: 128,
      embeddingModel: 'all-minilm-l6-v2',
      texts: 100_000,
      output: 'bench-results/2025-01-02T03-04-05.json',
    })
  })

  it('reads lists and repeated options', () => {
    const options = parseOptions(['--only', 'adapter,memory', '--model', 'a', '--model', 'b.gguf', '--threads', '1, 4'])
    expect(options).to.deep.include({ only: ['adapter', 'memory'], models: ['a', 'b.gguf'], threads: [1, 4] })
  })

  it('is quick when asked, where nothing else is said', () => {
    expect(parseOptions(['--quick'])).to.deep.include({ rounds: 2, maxTokens: 48, texts: 0 })
    expect(parseOptions(['--quick', '--rounds', '9', '--texts', '500'])).to.deep.include({ rounds: 9, texts: 500 })
  })

  it('refuses what it does not know, and says what there is', () => {
    expect(() => parseOptions(['--only', 'speed'])).to.throw('generation, abort, adapter')
    expect(() => parseOptions(['--rounds', '0'])).to.throw('--rounds')
    expect(() => parseOptions(['--clients', '1,x'])).to.throw('--clients')
    expect(() => parseOptions(['--fast'])).to.throw('--fast')
  })

  it('answers a call for help', () => {
    expect(parseOptions(['--help'])).to.equal(undefined)
  })
})

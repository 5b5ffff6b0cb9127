import { expect } from 'chai'
import fc from 'fast-check'
import { tools } from '@sallyport/core'
import { createKernel } from '@sallyport/kernel'
import { fileURLToPath } from 'node:url'
import plugin from '../src/index.js'
import { calculate } from '../src/small-tools/calculate.js'
import { timeIn } from '../src/small-tools/time.js'

describe('the arithmetic of the small tools', () => {
  for (const [expression, value] of [
    ['2 + 3 * 4', 14],
    ['(2 + 3) * 4', 20],
    ['7 - 2 - 1', 4],
    ['8 / 4 / 2', 1],
    ['2 ^ 3 ^ 2', 512],
    ['-2 ^ 2', -4],
    ['2 ^ -1', 0.5],
    ['--3 - +4', -1],
    ['10 % 4 * 2', 4],
    ['1.5e3+.5', undefined],
    ['1.5e3 + 0.5', 1500.5],
    ['1 / 0', undefined],
    ['', undefined],
    ['2 +', undefined],
    ['(1', undefined],
    ['1)', undefined],
    ['2 3', undefined],
    ['process.exit()', undefined],
    ['('.repeat(1000), undefined],
    ['-'.repeat(1000), undefined],
  ] as const)
    it(`${value === undefined ? 'refuses' : 'computes'} ${expression.slice(0, 20)}`, () => {
      if (value === undefined) expect(() => calculate(expression)).to.throw(RangeError)
      else expect(calculate(expression)).to.equal(value)
    })

  it('is that of the language', () => {
    interface Sum {
      readonly text: string
      readonly value: number
    }
    const number = fc.integer({ min: 0, max: 99 }).map((value): Sum => ({ text: String(value), value }))
    const joined = (one: Sum, sign: '+' | '-' | '*', other: Sum): Sum => {
      const results = { '+': one.value + other.value, '-': one.value - other.value, '*': one.value * other.value }
      return { text: `(${one.text} ${sign} ${other.text})`, value: results[sign] }
    }
    const { sum } = fc.letrec<{ sum: Sum }>((tie) => ({
      sum: fc.oneof(
        { maxDepth: 4 },
        number,
        fc
          .tuple(tie('sum'), fc.constantFrom('+' as const, '-' as const, '*' as const), tie('sum'))
          .map((parts) => joined(...parts)),
      ),
    }))
    fc.assert(
      fc.property(sum, ({ text, value }) => {
        expect(calculate(text)).to.equal(value)
      }),
    )
  })
})

describe('the time of the small tools', () => {
  const now = new Date('2026-11-29T14:04:05Z')
  for (const [zone, told] of [
    ['UTC', 'Sunday, 2026-11-29 14:04:05 GMT'],
    ['Europe/Berlin', 'Sunday, 2026-11-29 15:04:05 GMT+1'],
    ['Asia/Tokyo', 'Sunday, 2026-11-29 23:04:05 GMT+9'],
    ['Pacific/Auckland', 'Monday, 2026-11-30 03:04:05 GMT+13'],
  ] as const)
    it(`is told in ${zone}`, () => {
      expect(timeIn(zone, now)).to.equal(told)
    })

  it('is refused in an unknown zone', () => {
    expect(() => timeIn('Mars/Olympus', now)).to.throw(RangeError)
  })
})

describe('the server of the small tools', function () {
  this.timeout(60_000)

  it('is called over the protocol, and says what is wrong with an argument', async () => {
    const program = fileURLToPath(new URL('../src/small-tools/server.js', import.meta.url))
    const servers = { small: { command: process.execPath, args: [program], pin: false } }
    const kernel = await createKernel({ plugins: [plugin], mcp: { servers }, log: { level: 'silent' } })
    try {
      const service = kernel.get(tools)
      const { servers: listed } = await service.list({ server: 'small' })
      expect(listed.flatMap((server) => server.tools.map(({ name }) => name))).to.deep.equal(['calculate', 'time'])
      const call = (name: string, given: object) => service.call({ server: 'small', name, arguments: given })
      expect(JSON.stringify(await call('calculate', { expression: '6*7' }))).to.include('42')
      expect(JSON.stringify(await call('calculate', { expression: '6*' }))).to.include('not understood at character 3')
      expect(JSON.stringify(await call('time', {}))).to.include('zone must be a string')
    } finally {
      await kernel.stop()
    }
  })
})

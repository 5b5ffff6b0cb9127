import { expect } from 'chai'
import fc from 'fast-check'
import { FairQueue } from '../../src/async/fair-queue.js'

interface Item {
  readonly tenant: string
  readonly number: number
}

const tenants = ['a', 'b', 'c'] as const
const tenant = fc.constantFrom(...tenants)

const queueOf = (items: readonly Item[]) => {
  const queue = new FairQueue<Item>()
  for (const item of items) queue.push(item.tenant, item)
  return queue
}

const itemsOf = (names: string): Item[] => Array.from(names, (name, number) => ({ tenant: name, number }))

const taken = (queue: FairQueue<Item>, held?: (tenant: string) => number): Item[] => {
  const items: Item[] = []
  for (let item = queue.take(held); item; item = queue.take(held)) items.push(item)
  return items
}

const namesOf = (items: readonly Item[]) => items.map((item) => item.tenant).join('')

describe('a fair queue', () => {
  for (const [arrived, order] of [
    ['aaaab', 'abaaa'],
    ['aabbcc', 'abcabc'],
    ['baaac', 'bacaa'],
    ['', ''],
  ] as const)
    it(`lets tenants take turns: ${arrived || 'nothing'} becomes ${order || 'nothing'}`, () =>
      expect(namesOf(taken(queueOf(itemsOf(arrived))))).to.equal(order))

  it('serves whoever holds least first, in turns among equals, and nobody who may have no more', () => {
    const held: Record<string, number> = { a: 2, b: 0, c: Infinity }
    const order: string[] = []
    const queue = queueOf(itemsOf('aacbbbb'))
    for (let item = queue.take((name) => held[name] ?? 0); item; item = queue.take((name) => held[name] ?? 0)) {
      held[item.tenant] = (held[item.tenant] ?? 0) + 1
      order.push(item.tenant)
    }
    expect([order.join(''), queue.length]).to.deep.equal(['bbabab', 1])
  })

  for (const weights of [
    { a: 1, b: 3 },
    { a: 1, b: 2, c: 4 },
    { a: 0.5, b: 1, c: 1.5 },
    { a: 1, b: 1, c: 100 },
  ])
    it(`gives turns by weight: ${JSON.stringify(weights)}`, () => {
      const shares = new Map(Object.entries(weights))
      const queue = new FairQueue<string>((name) => shares.get(name) ?? 1)
      const turns = 4000
      for (let number = 0; number < turns; number += 1)
        for (const name of shares.keys()) queue.push(name, `${name}${number}`)
      const total = [...shares.values()].reduce((sum, weight) => sum + weight, 0)
      const order = Array.from({ length: turns }, () => queue.take()?.charAt(0))
      for (const [name, weight] of shares) {
        const share = order.filter((one) => one === name).length / turns
        expect(share / (weight / total), name).to.be.within(0.9, 1.1)
      }
    })

  it('gives turns by weight to tenants of whom one item waits at a time', () => {
    const queue = new FairQueue<string>((name) => (name === 'a' ? 1 : 3))
    for (const name of ['a', 'b']) queue.push(name, name)
    const order: string[] = []
    for (let item = queue.take(); order.length < 400 && item; item = queue.take()) {
      order.push(item)
      queue.push(item, item)
    }
    expect(order.filter((name) => name === 'b').length / 300).to.be.within(0.9, 1.1)
  })

  it('puts back before the tenant’s others', () => {
    const [one, two, other] = itemsOf('aab') as [Item, Item, Item]
    const queue = queueOf([one, two, other])
    expect(queue.take()).to.equal(one)
    queue.putBack('a', one)
    expect(taken(queue)).to.deep.equal([other, one, two])
  })

  it('names the last of the longest line to give way, unless the newcomer’s would be as long', () => {
    const items = itemsOf('abaaac')
    const queue = queueOf(items)
    expect(tenants.map((name) => queue.lastOfLongest(name))).to.deep.equal([undefined, items[4], items[4]])
    expect(queueOf(itemsOf('aabb')).lastOfLongest('c')).to.deep.include({ tenant: 'a', number: 1 })
    expect(queueOf(itemsOf('ab')).lastOfLongest('c')).to.equal(undefined)
  })

  it('keeps the order of each tenant, starves none, loses nothing, and forgets who leaves', () => {
    const step = fc.oneof(
      { weight: 4, arbitrary: fc.record({ kind: fc.constant('push' as const), tenant, at: fc.constant(0) }) },
      { weight: 3, arbitrary: fc.record({ kind: fc.constant('take' as const), tenant, at: fc.constant(0) }) },
      { weight: 1, arbitrary: fc.record({ kind: fc.constant('remove' as const), tenant, at: fc.nat({ max: 20 }) }) },
    )
    fc.assert(
      fc.property(fc.array(step, { maxLength: 100 }), (steps) => {
        const queue = new FairQueue<Item>()
        const lines: Record<string, Item[]> = { a: [], b: [], c: [] }
        /** Items of others that were taken since a tenant has been waiting for a turn. */
        const overtaken: Record<string, number> = { a: 0, b: 0, c: 0 }
        for (const [number, { kind, tenant: name, at }] of steps.entries()) {
          const line = lines[name]!
          if (kind === 'push') {
            const item = { tenant: name, number }
            if (line.length === 0) overtaken[name] = 0
            line.push(item)
            queue.push(name, item)
          } else if (kind === 'remove') {
            const [item] = line.splice(at, 1)
            if (item) expect(queue.remove(name, item)).to.equal(true)
            if (item) expect(queue.remove(name, item)).to.equal(false)
          } else {
            const item = queue.take()
            const waiting = tenants.filter((one) => lines[one]!.length > 0)
            expect(item !== undefined).to.equal(waiting.length > 0)
            if (!item) continue
            expect(item).to.equal(lines[item.tenant]!.shift())
            for (const one of waiting) overtaken[one] = one === item.tenant ? 0 : overtaken[one]! + 1
            expect(Math.max(...Object.values(overtaken))).to.be.lessThan(tenants.length)
          }
          expect(queue.length).to.equal(Object.values(lines).flat().length)
          expect([...queue]).to.have.members(Object.values(lines).flat())
          for (const one of tenants) expect(queue.lengthOf(one)).to.equal(lines[one]!.length)
        }
      }),
    )
  })
})

import { expect } from 'chai'
import fc from 'fast-check'
import { header, ops, pickle, torchFile } from '@sallyport/stand-ins/torch-file'
import { FormatError, readTorch } from '../src/index.js'

const matrix = { shape: [2, 3], strides: [3, 1], storage: 'a' }
const data = { a: [1, 2, 3, 4, 5, 6] }

/** What stands behind the pickle of the tensors: the storages. */
const tail = torchFile({}, data).subarray(torchFile({}, {}).length - pickle(ops.list, ops.mark, ops.appendAll).length)
/** A number of eight bytes. */
const half = Buffer.from('473fe0000000000000', 'hex')

const refusal = (bytes: Uint8Array): string => {
  try {
    readTorch(bytes)
  } catch (error) {
    if (error instanceof FormatError) return error.message
    throw error
  }
  return 'read'
}

const valuesOf = (bytes: Uint8Array, name: string) => [...(readTorch(bytes).get(name)?.values() ?? [])]

describe('weights of PyTorch', () => {
  it('are read with their shapes', () => {
    const tensors = readTorch(
      torchFile({ weight: matrix, bias: { ...matrix, shape: [3], strides: [1], offset: 3 } }, data),
    )
    expect([...tensors].map(([name, { shape, values }]) => [name, shape, [...values()]])).to.deep.equal([
      ['weight', [2, 3], [1, 2, 3, 4, 5, 6]],
      ['bias', [3], [4, 5, 6]],
    ])
  })

  it('are read as their strides say', () =>
    expect(valuesOf(torchFile({ t: { ...matrix, shape: [3, 2], strides: [1, 3] } }, data), 't')).to.deep.equal([
      1, 4, 2, 5, 3, 6,
    ]))

  it('of a checkpoint are read by their whole names', () => {
    const inner = torchFile({ weight: matrix }, data)
    const state = inner.subarray(header().length + 2, inner.length - tail.length - 1)
    const outer = Buffer.concat([ops.dict, ops.mark, ops.text('rate'), half, ops.text('model'), state, ops.setItems])
    expect(valuesOf(Buffer.concat([header(), pickle(outer), tail]), 'model.weight')).to.deep.equal(data.a)
  })

  it('of no elements, and single ones, are read', () => {
    const tensors = { none: { ...matrix, shape: [0, 3] }, one: { ...matrix, shape: [], strides: [], offset: 5 } }
    expect(valuesOf(torchFile(tensors, data), 'none')).to.deep.equal([])
    expect(valuesOf(torchFile(tensors, data), 'one')).to.deep.equal([6])
  })

  for (const [name, tensor] of Object.entries({
    'more than its storage': { ...matrix, shape: [3, 3] },
    'what lies behind its storage': { ...matrix, offset: 1 },
    'an element many times': { ...matrix, shape: [1000, 1000], strides: [0, 0] },
    'a size that is none': { ...matrix, shape: [-2, -3] },
    'half an element': { ...matrix, shape: [2, 0.5] },
    'endless sides': { ...matrix, shape: [0, Infinity] },
    'other strides than sides': { ...matrix, strides: [1] },
    'very many sides': { ...matrix, shape: Array(9).fill(1) as number[], strides: Array(9).fill(1) as number[] },
  }))
    it(`are refused where a tensor wants ${name}`, () =>
      expect(refusal(torchFile({ tensor }, data))).to.equal(
        'the file of weights describes a tensor that its data does not hold',
      ))
})

describe('a hostile pickle', () => {
  const marker = 'sallyport_was_here'
  const hostile = (...state: Uint8Array[]) => Buffer.concat([header(), pickle(...state)])
  const called = (name: string) => hostile(ops.global(name), ops.text(marker), ops.tuple1, ops.reduce)

  for (const name of ['os system', 'builtins eval', 'posix system', 'torch._utils _rebuild_parameter', '__main__ X'])
    it(`is refused: a call of ${name}`, () => {
      expect(refusal(called(name))).to.match(
        /^the file is refused: it asks for "[\w.]+", and only dictionaries of float32 and int64 tensors are read$/,
      )
    })

  for (const [name, opcode] of Object.entries({
    'INST, the old call': 0x69,
    'OBJ, another call': 0x6f,
    NEWOBJ: 0x81,
    NEWOBJ_EX: 0x92,
    'EXT1, a registered call': 0x82,
    'STACK_GLOBAL, a name made of texts': 0x93,
    'PERSID in text': 0x50,
    'DUP, which makes values grow': 0x32,
    'FRAME of newer pickles': 0x95,
  }))
    it(`is refused: the opcode of ${name}`, () =>
      expect(refusal(hostile(Buffer.of(opcode)))).to.include(`the pickle opcode 0x${opcode.toString(16)}`))

  for (const [name, state] of Object.entries({
    'a call of what is no name': [ops.text('x'), ops.tuple0, ops.reduce],
    'a call of a type of storage': [ops.global('torch FloatStorage'), ops.tuple0, ops.reduce],
    'an empty stack': [ops.reduce],
    'a tuple of nothing': [ops.tuple1],
    'a mark that was not set': [Buffer.of(0x75)],
    'a memory that was not filled': [Buffer.of(0x68, 7)],
    'a text that is longer than the file': [Buffer.of(0x58, 0xff, 0xff, 0xff, 0x7f)],
    'a name without end': [Buffer.concat([Buffer.of(0x63), Buffer.alloc(1000, 'a')])],
    'an end that does not come': [],
  }))
    it(`is refused: ${name}`, () =>
      expect(refusal(Buffer.concat([header(), Buffer.of(0x80, 2), ...state]))).not.to.equal('read'))

  it('is refused where dictionaries lie too deep in one another, and read where one lies in itself', () => {
    const nested = (depth: number): Buffer =>
      depth === 0 ? ops.dict : Buffer.concat([ops.dict, ops.mark, ops.text('x'), nested(depth - 1), ops.setItems])
    expect(refusal(Buffer.concat([hostile(nested(100)), pickle(ops.list)]))).to.include('too deep')
    const [remember, recall] = [Buffer.of(0x71, 0), Buffer.of(0x68, 0)]
    const itself = Buffer.concat([ops.dict, remember, ops.mark, ops.text('x'), recall, ops.setItems])
    expect(refusal(Buffer.concat([hostile(itself), pickle(ops.list)]))).to.equal('read')
  })

  it('cannot reach what every object has', () => {
    for (const name of ['__proto__ x', 'constructor constructor', ' toString'])
      expect(refusal(called(name))).to.include('the file is refused')
    const polluting = hostile(ops.dict, ops.mark, ops.text('__proto__'), ops.text('polluted'), ops.setItems)
    expect(refusal(Buffer.concat([polluting, pickle(ops.list)]))).to.equal('read')
    expect(Object.hasOwn(Object.prototype, 'polluted')).to.equal(false)
  })

  it('is read or refused, whatever bytes of a sound file are changed', () => {
    const sound = torchFile({ weight: matrix, bias: { ...matrix, shape: [3], strides: [1], offset: 3 } }, data)
    const change = fc.tuple(fc.nat({ max: sound.length - 1 }), fc.nat({ max: 255 }))
    const conflicting: [number, number][] = [
      [170, 1],
      [188, 4],
      [319, 0],
    ]
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 6 }), (changes) => {
        const bytes = Uint8Array.from(sound)
        for (const [index, value] of changes) bytes[index] = value
        if (refusal(bytes) === 'read')
          for (const { values } of readTorch(bytes).values()) expect(values().length).to.be.at.most(6)
      }),
      // in the example, two tensors claim different sizes of one storage
      { numRuns: 2000, examples: [[conflicting]] },
    )
  })

  it('is refused or empty, whatever it is', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        const outcome = refusal(Buffer.concat([header(), Buffer.of(0x80, 2), bytes]))
        expect(outcome).to.be.a('string')
      }),
      { numRuns: 2000 },
    )
  })
})

describe('other files', () => {
  const system = pickle(ops.dict, ops.mark, ops.text('little_endian'), ops.true, ops.setItems)
  const headerStart = header().subarray(0, -system.length)
  for (const [name, bytes, problem] of [
    ['an empty one', Buffer.alloc(0), 'the file does not hold weights of PyTorch'],
    ['a text', Buffer.from('hello'), 'PyTorch in the older format of torch.save (pickle protocol 2 or 3)'],
    ['a newer one of PyTorch', Buffer.from('PK\x03\x04'), 'the file is a zip file of PyTorch'],
    ['one without weights', Buffer.concat([header(), pickle(ops.text('x')), pickle(ops.list)]), 'a state dictionary'],
    ['one whose header is none', Buffer.concat([headerStart, pickle(ops.list)]), 'cut off or damaged'],
    ['one of a big-endian machine', header({ littleEndian: false }), 'big-endian'],
    ['one that is cut off', torchFile({ matrix }, data).subarray(0, -1), 'cut off or damaged'],
    ['one whose data has another size', torchFile({ matrix }, { a: [1, 2] }), 'cut off or damaged'],
  ] as const)
    it(`are refused: ${name}`, () => expect(refusal(bytes)).to.include(problem))
})

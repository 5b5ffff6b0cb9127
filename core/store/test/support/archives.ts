/** Small wheels and npm tarballs. */

import { once } from 'node:events'
import { buffer } from 'node:stream/consumers'
import { crc32, createGzip } from 'node:zlib'
import { pack } from 'tar-stream'

export type Members = Readonly<Record<string, Buffer>>

/** A zip file whose entries are stored as they are. */
export const wheel = (members: Members): Buffer => {
  const locals: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const [name, content] of Object.entries(members)) {
    const facts = Buffer.alloc(26)
    facts.writeUInt16LE(20, 0)
    facts.writeUInt32LE(crc32(content), 10)
    facts.writeUInt32LE(content.length, 14)
    facts.writeUInt32LE(content.length, 18)
    facts.writeUInt16LE(Buffer.byteLength(name), 22)
    locals.push(Buffer.from('PK\x03\x04'), facts, Buffer.from(name), content)
    const place = Buffer.alloc(14)
    place.writeUInt32LE(offset, 10)
    directory.push(Buffer.from('PK\x01\x02\x14\x00', 'latin1'), facts, place, Buffer.from(name))
    offset += 30 + Buffer.byteLength(name) + content.length
  }
  const central = Buffer.concat(directory)
  const end = Buffer.alloc(18)
  const count = Object.keys(members).length
  end.writeUInt16LE(count, 4)
  end.writeUInt16LE(count, 6)
  end.writeUInt32LE(central.length, 8)
  end.writeUInt32LE(offset, 12)
  return Buffer.concat([...locals, central, Buffer.from('PK\x05\x06'), end])
}

/** A package as npm packs it: everything below `package/`. */
export const tarball = async (members: Members): Promise<Buffer> => {
  const tar = pack()
  const zipped = tar.pipe(createGzip())
  for (const [name, content] of Object.entries(members)) {
    const entry = tar.entry({ name: `package/${name}`, size: content.length })
    entry.end(content)
    await once(entry, 'finish')
  }
  tar.finalize()
  return buffer(zipped)
}

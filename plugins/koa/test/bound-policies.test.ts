import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { KeyStore } from '../src/index.js'
import { boundPolicies } from '../src/bound-policies.js'
import { completeOptions } from '../src/options.js'

describe('policies that routes and keys bring', () => {
  let home: string
  beforeEach(() => (home = mkdtempSync(join(tmpdir(), 'sallyport-bound-'))))
  afterEach(() => rmSync(home, { recursive: true }))

  it('are those of the options and of the keys that work', () => {
    const keys = new KeyStore(home)
    keys.create({ name: 'ci', policy: 'strict' })
    keys.create({ name: 'old', policy: 'strict', expires: new Date(0) })
    keys.create({ name: 'ended', policy: 'strict' })
    keys.revoke('ended')
    keys.create({ name: 'free' })
    const policies = { '/completions': 'strict' }
    const ofRoute = { policy: 'strict', by: 'route /completions' }
    expect(boundPolicies(completeOptions({ policies }), home)).to.deep.equal([
      ofRoute,
      { policy: 'strict', by: 'key ci' },
    ])
    expect(boundPolicies(completeOptions({ policies, auth: false }), home)).to.deep.equal([ofRoute])
  })

  it('are looked for without making anything', () => {
    expect(boundPolicies(completeOptions({}), home)).to.deep.equal([])
    expect(existsSync(join(home, 'keys'))).to.equal(false)
  })
})

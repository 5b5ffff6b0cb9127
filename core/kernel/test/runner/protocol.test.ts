import { testCall } from '@sallyport/testing'
import { links } from './fixtures/links.js'
import type { Link } from './fixtures/links.js'
import { protocolCases } from './protocol-cases.js'

for (const [transport, open] of Object.entries(links))
  describe(`the call protocol, ${transport}`, function () {
    this.timeout(10_000)

    let link: Link
    before(async () => {
      link = await open()
    })
    // Cases that break the connection off get the next one a new one: starting processes takes time.
    beforeEach(async () => {
      link.logged.length = 0
      const reset = link.connection.call('reset', undefined, testCall())
      await reset.catch(async () => (link = await open()))
    })
    after(() => link.end())

    for (const [group, cases] of Object.entries(protocolCases))
      describe(group, () => {
        for (const [name, run] of Object.entries(cases)) it(name, () => run(link))
      })
  })

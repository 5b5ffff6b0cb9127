import { links } from './fixtures/links.js'
import type { Link } from './fixtures/links.js'
import { protocolCases } from './protocol-cases.js'

for (const [transport, open] of Object.entries(links))
  describe(`the call protocol, ${transport}`, () => {
    let link: Link
    beforeEach(async () => {
      link = await open()
    })
    afterEach(() => link.end())

    for (const [group, cases] of Object.entries(protocolCases))
      describe(group, () => {
        for (const [name, run] of Object.entries(cases)) it(name, () => run(link))
      })
  })

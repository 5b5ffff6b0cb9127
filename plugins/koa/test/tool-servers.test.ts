import { createKernel } from '@sallyport/kernel'
import { tools } from '@sallyport/core'
import reference from '@sallyport/testing/reference'
import { expect } from 'chai'
import { testKernel } from './support/kernel.js'
import { town } from './support/conversations.js'
import { speaker } from './support/models.js'
import { withServer } from './support/server.js'

const parameters = { type: 'object', properties: { city: { type: 'string' } } }
const named = { object: 'mcp_tool', created: 1700000000, owned_by: 'the town', parameters }

describe('listings of tools', () => {
  it('are empty where there are none', async () => {
    await withServer(await testKernel([speaker]), {}, async ({ get }) => {
      expect(await (await get('/mcp_servers')).json()).to.deep.equal({ object: 'list', data: [] })
      expect(await (await get('/mcp_tools')).json()).to.deep.equal({ object: 'list', data: {} })
      expect((await get('/v1/mcp_tools')).status).to.equal(404)
    })
  })

  it('are the only ones that have what serves tools alone: it is no model', async () => {
    await withServer(await testKernel([speaker, town().model]), {}, async ({ get }) => {
      for (const path of ['/models', '/v1/models']) {
        const { data } = (await (await get(path)).json()) as { data: { id: string }[] }
        expect(data.map(({ id }) => id)).to.deep.equal([speaker.id])
      }
      expect((await get(`/v1/models/${town().model.id}`)).status).to.equal(404)
    })
  })

  it('hold the servers of every model, and their tools', async () => {
    const second = { ...town().model, id: 'second' }
    await withServer(await testKernel([town().model, second]), {}, async ({ get }) => {
      expect(await (await get('/mcp_servers')).json()).to.deep.equal({
        object: 'list',
        data: [
          {
            server_label: 'town',
            object: 'mcp_server',
            created: 1700000000,
            owned_by: 'the town',
            server_description: 'About towns.',
            available_tools: ['weather', 'mayor'],
          },
        ],
      })
      expect(await (await get('/mcp_tools')).json()).to.deep.equal({
        object: 'list',
        data: {
          town: [
            { ...named, id: 'weather', description: 'The weather of a city.' },
            { ...named, id: 'mayor', description: '' },
          ],
        },
      })
    })
  })

  it('hold those of the reference', async () => {
    const kernel = await createKernel({ plugins: [reference] })
    try {
      expect(kernel.models(tools)).to.have.length(1)
      await withServer(kernel, { listing_dates: 'rfc3339' }, async ({ get }) => {
        const { data } = (await (await get('/mcp_servers')).json()) as { data: Record<string, unknown>[] }
        expect(data[0]).to.deep.include({ server_label: 'reference', available_tools: ['add', 'echo'] })
        expect(data[0]!['created']).to.match(/^\d{4}-\d\d-\d\dT/)
      })
    } finally {
      await kernel.stop()
    }
  })

  it('leave out what a key may not use', async () => {
    await withServer(await testKernel([town().model, speaker]), {}, async ({ get, post, keys }) => {
      const { key } = keys.create({ name: 'few', models: ['speaker'] })
      const headers = { authorization: `Bearer ${key}` }
      expect(await (await get('/mcp_servers', headers)).json()).to.deep.equal({ object: 'list', data: [] })
      const body = { model: 'speaker', input: 'hi', tools: [{ type: 'mcp', server_label: 'town' }] }
      const refused = await post('/responses', body, headers)
      expect(refused.status).to.equal(400)
      expect(await refused.json()).to.deep.equal({
        error: 'tools[0].server_label: there is no tool server town: GET /mcp_servers lists the known ones',
      })
      expect((await post('/responses', body)).status).to.equal(200)
    })
  })
})

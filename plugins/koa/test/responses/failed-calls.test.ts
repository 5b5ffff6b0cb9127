import { recordingLogger } from '@sallyport/testing'
import { expect } from 'chai'
import { callingTool, saying, stepper, town } from '../support/conversations.js'
import { testKernel } from '../support/kernel.js'
import type { TestModel } from '../support/kernel.js'
import { withServer } from '../support/server.js'

const broken = (): TestModel => {
  const { model } = town()
  const call = () => Promise.reject(new Error('a-secret-word'))
  return { ...model, services: { tools: { ...model.services.tools!, call } } }
}

describe('calls of tools that fail', () => {
  it('are logged with their cause, which no client is told', async () => {
    const { logger, lines } = recordingLogger()
    const caller = stepper('caller', callingTool('weather', '{"city":"Ulm"}'), saying('I do not know.'))
    const kernel = await testKernel([caller.model, broken()])
    const told = async (stream: boolean) => {
      const body = { model: 'caller', input: 'How is Ulm?', tools: [{ type: 'mcp', server_label: 'town' }], stream }
      let text = ''
      await withServer(
        kernel,
        {},
        async ({ post }) => void (text = await (await post('/responses', body)).text()),
        logger,
      )
      return text
    }
    const texts = [await told(false), await told(true)]
    const warned = lines.filter(({ level }) => level === 'warn')
    expect(warned.map(({ message }) => message)).to.deep.equal(Array(2).fill('a tool call failed'))
    for (const { fields } of warned) {
      expect(fields).to.include({ server: 'town', tool: 'weather' })
      expect(fields).to.have.nested.property('error.name', 'Error')
      expect(fields['requestId']).to.be.a('string')
    }
    expect(JSON.stringify(lines)).not.to.contain('a-secret-word')
    for (const text of texts) expect(text).to.contain('the server of the tool failed').and.not.contain('a-secret-word')
  })
})

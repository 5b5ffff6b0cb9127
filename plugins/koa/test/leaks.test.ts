/** Nothing that a policy forbids gets past it: every route, every text, every policy. */

import * as checks from '@sallyport/checks'
import type { Capability } from '@sallyport/core'
import { mapBounded } from '@sallyport/kit/async'
import { expect } from 'chai'
import { answerHeaders, pathParameters, requestHeaders } from '../src/openapi/headers.js'
import { errorSchemas } from '../src/openapi/errors.js'
import { completeOptions } from '../src/options.js'
import { routesOf } from '../src/routes/index.js'
import type { Schema } from '../src/schemas/schema.js'
import { exposures, leaks, misses } from './leaks/complaints.js'
import { brokenDetectors, detectors } from './leaks/detectors.js'
import { leavesOf, showSteps } from './leaks/leaves.js'
import type { SchemaLeaf } from './leaks/leaves.js'
import { callerPolicies, headerPolicies, operatorPolicies } from './leaks/policies.js'
import type { WalkedPolicy } from './leaks/policies.js'
import { RouteWalk } from './leaks/route-walk.js'
import type { Outcome, Saying } from './leaks/route-walk.js'
import { isSampled, sampleTitle } from './leaks/sample.js'
import { holdsSecret, plain, secret, spellings } from './leaks/secret.js'
import { tale } from './leaks/stranger.js'
import { openStage } from './leaks/stage.js'
import type { Stage } from './leaks/stage.js'

const { limits } = completeOptions({})
const routes = routesOf({ httpCapabilities: [tale] })
const walks = routes
  .filter(({ method }) => method === 'POST')
  .flatMap((route) =>
    route.path.endsWith(':check')
      ? Object.values<Capability>(checks).map((check) => new RouteWalk(route, check))
      : [new RouteWalk(route)],
  )

/** What a model that goes step by step is needed for: walked in the tests of responses. */
const ofRemoteTools = (path: string): boolean => /(?:^item|output\[\])\.(?:output|error)$/.test(path)

/** Requests at the same time. */
const atOnce = 8

/** Complaints about everything that is said, and about what was logged meanwhile. */
const complaintsAbout = async (
  stage: Stage,
  walk: RouteWalk,
  sayings: readonly Saying[],
  complain: (saying: Saying, outcome: Outcome) => readonly string[],
  policy?: WalkedPolicy,
): Promise<string[]> => {
  const complaints = await mapBounded(sayings, atOnce, async (saying) => {
    const outcomes = await walk.sendEverywhere(stage, saying, policy)
    return outcomes.flatMap((outcome) =>
      [...exposures(outcome), ...complain(saying, outcome)].map((complaint) => `${saying.what}: ${complaint}`),
    )
  })
  return [...complaints.flat(), ...(holdsSecret(stage.logged()) ? ['the log holds it'] : [])]
}

const shadow: WalkedPolicy = { name: 'shadow', stage: 'output', check: 'pii', verdict: undefined, config: {} }

const isUngrounded = ({ check, verdict }: WalkedPolicy, { heard }: Outcome): boolean =>
  check === 'factuality' && verdict !== undefined && (heard.error?.includes(verdict) ?? false)

/** What only checks say that replace. */
const ofOtherChecks = ({ route, replaces }: RouteWalk, path: readonly string[]): boolean =>
  route.path.endsWith(':check') && !replaces && path.at(-1) === 'replaced'

describe('strings of the API', () => {
  for (const route of routes)
    it(`of ${route.method} ${route.path} are declared to be text or opaque`, () => {
      const schemas = route.schemas?.({ ...limits, checks: new Map() }) ?? {}
      if (route.method === 'POST') expect(schemas, 'its schemas').to.include.keys('request', 'response')
      for (const [name, schema] of Object.entries(schemas) as [string, Schema | string | boolean][]) {
        const leaves = typeof schema === 'object' ? leavesOf(schema) : []
        const undeclared = leaves.filter(({ declared }) => declared === undefined).map(({ path }) => showSteps(path))
        expect(undeclared, `strings of the ${name} that are declared neither x-text nor x-opaque`).to.deep.equal([])
      }
      for (const [, name] of route.path.matchAll(/[:*](\w+)/g)) expect(pathParameters).to.have.property(name!)
    })
})

describe('strings beside bodies', () => {
  for (const [kind, schema] of Object.entries(errorSchemas))
    it(`are declared to be text or opaque: ${kind}`, () => {
      expect(leavesOf(schema)).to.satisfy((leaves: SchemaLeaf[]) => leaves.every(({ declared }) => declared))
    })

  for (const [kind, schemas] of Object.entries({ requestHeaders, answerHeaders, pathParameters }))
    it(`are declared to be text or opaque: ${kind}`, () => {
      for (const [name, schema] of Object.entries(schemas))
        expect(leavesOf(schema), name).to.satisfy((leaves: SchemaLeaf[]) => leaves.every(({ declared }) => declared))
    })
})

describe(`the leak walk, ${sampleTitle}`, () => {
  let stage: Stage
  let broken: Stage
  before(async () => {
    stage = await openStage(detectors)
    broken = await openStage(brokenDetectors)
  })
  after(async () => {
    await stage.stop()
    await broken.stop()
  })

  it('has a model for every route', () => {
    const missing = routes.filter(
      ({ capability }) => capability !== undefined && !stage.kernel.capabilities.has(capability),
    )
    expect(missing.map(({ path }) => path)).to.deep.equal([])
  })

  it('has policies of every check', () => {
    const names = Object.values<Capability>(checks).map(({ name }) => name)
    expect(new Set(operatorPolicies.map(({ check }) => check))).to.have.all.keys(names)
  })

  for (const walk of walks)
    describe(`of ${walk.name}`, () => {
      const sampled = (name: string, test: () => Promise<void>) => {
        if (isSampled(`${walk.name} ${name}`)) it(name, test)
      }
      before(async () => {
        expect(await walk.explore(stage), 'texts that nothing reads: declare them x-opaque').to.deep.equal([])
      })

      it('reaches every text', () => {
        const { response, chunk } = walk.schemas
        const texts = [response, chunk].flatMap((schema) => (schema ? leavesOf(schema) : []))
        const silent = texts.filter(
          ({ path, declared }) =>
            declared === 'text' &&
            !walk.speaking.has(showSteps(path)) &&
            !ofRemoteTools(showSteps(path)) &&
            !ofOtherChecks(walk, path),
        )
        expect(
          silent.map(({ path }) => showSteps(path)),
          'texts of answers that nothing says',
        ).to.deep.equal([])
      })

      const { request = {}, isForm } = walk.schemas
      for (const policy of [...operatorPolicies, ...(isForm ? headerPolicies : []), ...callerPolicies(request)])
        sampled(`finds nothing behind ${policy.name}`, async () => {
          const chosen = policy.config ? spellings : [plain]
          const sayings =
            policy.stage === 'input' ? walk.asked(chosen) : [...walk.asked([plain]), ...walk.answered(chosen)]
          const complain = (saying: Saying, outcome: Outcome) => [
            ...leaks(walk, policy, saying, outcome),
            ...misses(walk, policy, saying, outcome),
          ]
          expect(await complaintsAbout(stage, walk, sayings, complain, policy)).to.deep.equal([])
        })

      sampled('finds nothing in headers, errors and logs where nothing is enforced', async () => {
        const sayings = [...walk.asked([plain]), ...walk.answered([plain])]
        expect(await complaintsAbout(stage, walk, sayings, () => [])).to.deep.equal([])
        expect(await complaintsAbout(stage, walk, sayings, () => [], shadow)).to.deep.equal([])
      })

      for (const policy of operatorPolicies)
        sampled(`finds nothing where detectors fail behind ${policy.name}`, async () => {
          const failing = { ...policy, verdict: `safeguard unavailable: ${policy.check}` }
          const sayings = [...walk.asked([plain]), ...(policy.stage === 'output' ? walk.answered([plain]) : [])]
          const complain = (saying: Saying, outcome: Outcome) => [
            ...leaks(walk, policy, saying, outcome),
            // one of factuality is asked only where there is something to compare with
            ...misses(walk, isUngrounded(policy, outcome) ? policy : failing, saying, outcome),
          ]
          expect(await complaintsAbout(broken, walk, sayings, complain, policy)).to.deep.equal([])
        })

      sampled('finds nothing in refusals of what is wrong', async () => {
        const wrong = walk.asked([plain]).flatMap(({ what, body, ...saying }) => [
          { ...saying, what: `${what}, beside a misspelt option`, body: { ...body, saveguards: secret } },
          {
            ...saying,
            what: `${what}, without all the rest`,
            body: Object.fromEntries(Object.entries(body).slice(-1)),
          },
        ])
        const refused = (_: Saying, { answer }: Outcome) => [
          ...(answer.status === 200 ? [] : holdsSecret(answer.body) ? [`it is quoted: ${answer.body}`] : []),
        ]
        expect(await complaintsAbout(stage, walk, [...wrong, ...walk.misshapen()], refused)).to.deep.equal([])
      })
    })

  it('finds nothing of headers, queries and paths', async () => {
    const answers = []
    for (const [method, path] of [
      ['GET', `/models?${secret}`],
      ['GET', `/models/${secret}`],
      ['GET', `/v1/models/${secret}`],
      ['DELETE', `/chat/completions`],
    ] as const)
      for (const headers of [
        {},
        { 'x-other': secret, 'user-agent': secret, cookie: secret },
        { authorization: secret },
      ])
        answers.push(await stage.send({ method, path, headers }))
    for (const { headers } of answers) expect(holdsSecret(headers), headers).to.equal(false)
    expect(holdsSecret(stage.logged()), 'the log').to.equal(false)
    const undeclared = (names: ReadonlySet<string>, declared: object) =>
      [...names].filter((name) => !Object.hasOwn(declared, name))
    expect(undeclared(stage.read, requestHeaders), 'headers that are read').to.deep.equal([])
    expect(undeclared(stage.sent, answerHeaders), 'headers that are sent').to.deep.equal([])
  })
})

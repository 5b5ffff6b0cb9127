import { factuality, injection, toxicity } from '@sallyport/checks'
import { failure } from '@sallyport/core'
import type { Finding, Inspection, InspectionRequest, Detector } from '@sallyport/core'
import { references } from '../../reference/references.js'
import { plant } from '../plant.js'
import type { Wrap } from '../plant.js'
import { answeredBy, askedOf, callFaults, calling } from './calls.js'

const changeReport = (change: (report: Inspection, request: InspectionRequest) => Partial<Inspection>) =>
  answeredBy<Detector, 'inspect'>('inspect', (report, request) => ({ ...report, ...change(report, request) }))

const changeFindings = (change: (finding: Finding, request: InspectionRequest) => Finding) =>
  changeReport(({ findings }, request) => ({ findings: findings.map((finding) => change(finding, request)) }))

/** Faults for the cases of every detector. */
export const detectorFaults: Record<string, Wrap<Detector>> = {
  ...callFaults<Detector, 'inspect'>('inspect', (report, times) => ({ ...report, score: 1 / (2 + times) })),
  'a flagged text reaches the threshold, a harmless one does not': changeReport(() => ({ score: 0.6 })),
  'scores are in 0..1 and findings lie within the text': changeFindings(({ end, ...finding }, { text }) => ({
    ...finding,
    end: end + text.length,
  })),
  'a flagged text at the end of a long text is found there': askedOf('inspect', (request) => ({
    ...request,
    text: request.text.slice(0, 2000),
  })),
  'every text is inspected': calling('inspect', (inner) => async (request, call) => {
    if (!request.text) throw failure('internal', {})
    return inner(request, call)
  }),
  'the report names the detector, explains itself and says how long it took': changeReport(() => ({ detector: '' })),
  'the explanation does not quote the text': changeReport((_, { text }) => ({ explanation: `found in "${text}"` })),
}

const checks = { injection, toxicity, factuality }

const detector = (name: keyof typeof checks) =>
  plant<Detector>({ capability: checks[name], ...references[name], faults: detectorFaults })

export const injectionFaults = detector('injection')
export const toxicityFaults = detector('toxicity')
export const factualityFaults = detector('factuality')

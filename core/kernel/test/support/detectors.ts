/** Checks and detectors that tests bring along. */

import { definePlugin, scoreCheck } from '@sallyport/core'
import type {
  Call,
  Check,
  Inspection,
  InspectionRequest,
  PluginModel,
  PluginDefinition,
  Detector,
} from '@sallyport/core'

export const stages = { input: 'Looks at what goes in.', output: 'Looks at what comes out.' }
export const option = (name: string) => ({ [name]: { type: 'string', description: `The ${name}.` } })

export const mood = scoreCheck('mood', { stages, order: 10, message: 'bad mood', options: option('tone') })
type Inspect = (request: InspectionRequest, call: Call) => Promise<Inspection>

export const says = (more: Partial<Inspection> = {}): Promise<Inspection> =>
  Promise.resolve({ findings: [], score: 0, explanation: '', detector: 'test', latency: 0, ...more })

export const detector = (capability: Check, inspect: Inspect, described: Partial<PluginModel> = {}): PluginModel => {
  class InspectingDetector implements Detector {
    inspect = inspect
  }
  return { ...described, capability, class: InspectingDetector }
}

export const silent: Inspect = () => new Promise(() => undefined)
export const failing: Inspect = () => Promise.reject(new RangeError('out of range'))

/** A plugin per model, named after it. */
export const plugins = (models: Readonly<Record<string, PluginModel>>): PluginDefinition[] =>
  Object.entries(models).map(([name, model]) => definePlugin({ name, models: { [name]: model } }))

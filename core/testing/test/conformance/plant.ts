/** A fault is planted by wrapping a sound implementation. */

import type { Capability } from '@sallyport/core'
import { conformanceCases } from '../../src/index.js'
import type { ModelFacts } from '../../src/index.js'

/** Makes another implementation of a given one. */
export type Wrap<Service> = (sound: Service) => Service

/** A fault, and where the case is about another kind of model than the reference, what it is planted in. */
export type Fault<Service> = Wrap<Service> | { facts: ModelFacts; sound: Wrap<Service>; faulty: Wrap<Service> }

/** A reference backend and what is planted in it, by the name of the case that must find it. */
export interface Subject<Service extends object> {
  readonly capability: Capability<Service>
  readonly create: () => Service
  readonly facts: ModelFacts
  readonly faults: Readonly<Record<string, Fault<Service>>>
}

/** One case, to be run on the sound implementation and on the faulty one. */
export interface PlantedCase {
  readonly name: string
  readonly inapplicable: string | undefined
  readonly onSound: () => Promise<void>
  readonly onFaulty: () => Promise<void>
}

export interface Planted {
  readonly capability: string
  readonly cases: readonly PlantedCase[]
  readonly withoutFault: readonly string[]
  readonly faultsWithoutCase: readonly string[]
}

export const plant = <Service extends object>({ capability, create, facts, faults }: Subject<Service>): Planted => {
  const all = conformanceCases(capability)
  const names = new Set(all.map(({ name }) => name))
  return {
    capability: capability.name,
    withoutFault: [...names].filter((name) => !faults[name]),
    faultsWithoutCase: Object.keys(faults).filter((name) => !names.has(name)),
    cases: all.flatMap((one) => {
      const fault = faults[one.name]
      if (!fault) return []
      const special = typeof fault === 'function' ? { facts, sound: unchanged, faulty: fault } : fault
      return [
        {
          name: one.name,
          inapplicable: one.skipReason?.(special.facts),
          onSound: () => one.run(special.sound(create()), special.facts),
          onFaulty: () => one.run(special.faulty(create()), special.facts),
        },
      ]
    }),
  }
}

const unchanged = <Service>(sound: Service): Service => sound

/** What the labels of token classifiers mean. Absent: not used, as patterns know better. */
export interface LabelMeaning {
  readonly entity: string
  /** Neighbours of one entity and different kinds are one: given name and surname, street and city. */
  readonly kind?: string
  /**
   * It is of numbers of somebody: what has fewer than five digits is none, and what is said of it must not speak of a
   * thing.
   */
  readonly number?: true
}

const place = (kind: string): LabelMeaning => ({ entity: 'LOCATION', kind })
const is = (entity: string): LabelMeaning => ({ entity })
const number = (entity: string): LabelMeaning => ({ entity, number: true })

/** Of Rampart, and of models of the CoNLL and OntoNotes kind. */
export const defaultLabels: Readonly<Record<string, LabelMeaning>> = {
  GIVEN_NAME: is('PERSON'),
  SURNAME: is('PERSON'),
  PHONE: number('PHONE_NUMBER'),
  TAX_ID: number('ID'),
  GOVERNMENT_ID: number('ID'),
  BANK_ACCOUNT: number('US_BANK_NUMBER'),
  ROUTING_NUMBER: number('ABA_ROUTING_NUMBER'),
  PASSPORT: number('US_PASSPORT'),
  DRIVERS_LICENSE: number('US_DRIVER_LICENSE'),
  BUILDING_NUMBER: place('number'),
  STREET_NAME: place('street'),
  SECONDARY_ADDRESS: place('secondary'),
  CITY: place('city'),
  STATE: place('state'),
  ZIP_CODE: place('zip'),
  PER: is('PERSON'),
  PERSON: is('PERSON'),
  LOC: place('place'),
  LOCATION: place('place'),
  GPE: place('place'),
  FAC: place('facility'),
  ORG: is('ORGANIZATION'),
  ORGANIZATION: is('ORGANIZATION'),
  NORP: is('NRP'),
  DATE: is('DATE_TIME'),
  TIME: is('DATE_TIME'),
}

/** Of an entity that a label of the default model stands for, what is said of it holds for other labels, too. */
export const ownLabel = (entity: string): LabelMeaning =>
  Object.values(defaultLabels).some((meaning) => meaning.entity === entity && meaning.number)
    ? number(entity)
    : is(entity)

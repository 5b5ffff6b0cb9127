import labels from './labels.json' with { type: 'json' }

/** The meaning of a label of a token classifier. Types whose labels have none are better found by patterns. */
export interface LabelMeaning {
  readonly entity: string
  /** The part of an address: neighbouring parts of different kinds are joined, such as street and city. */
  readonly kind?: string
  /** Whether it is a personal number: then at least five digits, and no word before it for numbers of things. */
  readonly number?: boolean
}

/** The labels of Rampart and of models trained on CoNLL or OntoNotes. */
export const defaultLabels = labels as Readonly<Record<string, LabelMeaning>>

/** The meaning of a configured label. It is a number where a default label for the same entity is one. */
export const customLabel = (entity: string): LabelMeaning =>
  Object.values(defaultLabels).some((meaning) => meaning.entity === entity && meaning.number)
    ? { entity, number: true }
    : { entity }

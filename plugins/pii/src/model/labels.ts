import labels from './labels.json' with { type: 'json' }

/** What the labels of token classifiers mean. Absent: not used, as patterns know better. */
export interface LabelMeaning {
  readonly entity: string
  /** Neighbours of one entity and different kinds are one: given name and surname, street and city. */
  readonly kind?: string
  /**
   * It is of numbers of somebody: what has fewer than five digits is none, and what is said of it must not speak of a
   * thing.
   */
  readonly number?: boolean
}

/** The labels of Rampart, and of models that were trained on CoNLL and OntoNotes. */
export const defaultLabels = labels as Readonly<Record<string, LabelMeaning>>

/** The meaning of a configured label: an entity that a default label stands for as a number is a number here, too. */
export const ownLabel = (entity: string): LabelMeaning =>
  Object.values(defaultLabels).some((meaning) => meaning.entity === entity && meaning.number)
    ? { entity, number: true }
    : { entity }

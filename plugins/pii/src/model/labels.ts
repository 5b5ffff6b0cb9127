import labels from './labels.json' with { type: 'json' }

/** The meaning of a label of a token classifier. Types whose labels have none are better found by patterns. */
export interface LabelMeaning {
  readonly entity: string
  /** The part of an address: neighbouring parts of different kinds are joined, such as street and city. */
  readonly kind?: string
  /** Whether it is a personal number: then at least five digits, and no word before it for numbers of things. */
  readonly number?: boolean
}

/** The labels of Rampart and of models trained on CoNLL, OntoNotes or the data of ai4privacy. */
export const defaultLabels = labels as Readonly<Record<string, LabelMeaning>>

/** The meanings of labels by their {@link plainLabel}. */
export type LabelMeanings = ReadonlyMap<string, LabelMeaning>

/** @param custom entity types by labels, which go before the default labels */
export const labelMeanings = (custom: Readonly<Record<string, string>>): LabelMeanings => {
  const own = Object.entries(custom).map(([label, entity]) => [label, customLabel(entity)] as const)
  return new Map([...Object.entries(defaultLabels), ...own].map(([label, meaning]) => [plainLabel(label), meaning]))
}

/** A label without what publishers differ in: `GIVEN_NAME`, `GIVENNAME` and `given name` are one. */
export const plainLabel = (label: string): string => label.toUpperCase().replace(/[\s_-]/gu, '')

/** What a model that gets the names of its labels with each text (GLiNER) is asked for. */
export const promptLabels = (custom: Readonly<Record<string, string>> = {}): string[] => [
  ...new Set(['person', 'location', 'organization', ...Object.keys(custom)]),
]

/** The meaning of a configured label. It is a number where a default label for the same entity is one. */
const customLabel = (entity: string): LabelMeaning =>
  Object.values(defaultLabels).some((meaning) => meaning.entity === entity && meaning.number)
    ? { entity, number: true }
    : { entity }

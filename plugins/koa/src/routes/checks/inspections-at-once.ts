/** Texts of one request that are inspected at the same time: more would only wait. */
export const inspectionsAtOnce = 8

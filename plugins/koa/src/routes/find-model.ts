import type { Kernel, ModelDescriptor } from '@sallyport/core'

type Models = readonly ModelDescriptor[]

/** By id, else by alias. */
export const findModel = (models: Models, name: string): ModelDescriptor | undefined =>
  models.find(({ id }) => id === name) ?? models.find(({ aliases }) => aliases.includes(name))

/** Those that provide a check, by its name or the operator's. */
export const detectorsAmong = (models: Models, kernel: Kernel, check: string): Models => {
  const { check: provided = check } = kernel.checks.get(check) ?? {}
  return models.filter(({ capabilities }) => capabilities.includes(provided))
}

/**
 * Whom a check asks for callers: the detectors that the configuration names, or else the first. Undefined for one that
 * is not among the models.
 */
export const askedDetectors = (
  kernel: Kernel,
  check: string,
  models: Models = kernel.models(),
): (ModelDescriptor | undefined)[] => {
  const able = detectorsAmong(models, kernel, check)
  return kernel.checks.get(check)?.detectors?.map((name) => findModel(able, name)) ?? [able[0]]
}

/**
 * The 95 % interval of a share (Wilson, Journal of the American Statistical Association 22, 1927): never empty,
 * whatever the share.
 */
export const shareInterval = (some: number, all: number): readonly [low: number, high: number] => {
  if (all === 0) return [0, 1]
  const z = 1.96
  const share = some / all
  const center = (share + z ** 2 / (2 * all)) / (1 + z ** 2 / all)
  const half = (z / (1 + z ** 2 / all)) * Math.sqrt((share * (1 - share)) / all + z ** 2 / (4 * all ** 2))
  return [Math.max(0, center - half), Math.min(1, center + half)]
}

const units = ['B', 'kB', 'MB', 'GB', 'TB'] as const

/** `98.4 MB`: decimal units, as registries and disks count. */
export const formatBytes = (bytes: number): string => {
  const exponent = Math.min(units.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, bytes)) / 3)))
  const value = bytes / 1000 ** exponent
  return `${exponent === 0 ? Math.round(value) : value.toFixed(value < 10 ? 2 : 1)} ${units[exponent] ?? ''}`
}

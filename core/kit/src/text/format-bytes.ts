const units = ['B', 'kB', 'MB', 'GB', 'TB'] as const

/** `98.4 MB`: decimal units, as registries and disks count. */
export const formatBytes = (bytes: number): string => {
  // Rounded as it will be shown: 999,960 bytes are 1.00 MB, not 1000.0 kB.
  const shown = Math.max(1, Number(bytes.toPrecision(4)))
  const exponent = Math.min(units.length - 1, Math.floor(Math.log10(shown) / 3))
  const value = bytes / 1000 ** exponent
  return `${exponent === 0 ? Math.round(value) : value.toFixed(value < 9.995 ? 2 : 1)} ${units[exponent] ?? ''}`
}

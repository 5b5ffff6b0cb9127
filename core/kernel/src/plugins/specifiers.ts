/** Specifiers that the resolve hook treats in its own way. */

/** Packages that authors import: whatever lies beside a plugin, it gets those of the running kernel. */
const packages = ['core', 'kit', 'checks', 'outbound', 'weights', 'tool-loop', 'kernel', 'testing']

/** Whether a specifier names one of them, or an entry of one: a second copy would have other classes and queues. */
export const isOwnPackage = (specifier: string): boolean => {
  const [scope, name = ''] = specifier.split('/')
  return scope === '@sallyport' && packages.includes(name)
}

const scheme = 'sallyport-search:'

/** A package that is looked for from several places. */
interface Search {
  readonly name: string
  /** URLs of files or directories, in the order in which they are tried. */
  readonly from: readonly string[]
}

export const writeSearch = (search: Search): string => scheme + encodeURIComponent(JSON.stringify(search))

export const readSearch = (specifier: string): Search | undefined =>
  specifier.startsWith(scheme) ? (JSON.parse(decodeURIComponent(specifier.slice(scheme.length))) as Search) : undefined

/** Specifiers that the resolve hook handles itself. */

/** Packages that plugins get from the running kernel, even if the plugin has copies of its own. */
const packages = ['core', 'kit', 'checks', 'outbound', 'weights', 'tool-loop', 'kernel', 'testing']

/**
 * Whether a specifier names one of these packages or one of their entry points. A second copy would have its own
 * classes and queues.
 */
export const isOwnPackage = (specifier: string): boolean => {
  const [scope, name = ''] = specifier.split('/')
  return scope === '@sallyport' && packages.includes(name)
}

const scheme = 'sallyport-search:'

/** A package that is looked for from several files or directories. */
interface Search {
  readonly name: string
  /** URLs of files or directories, in the order in which they are tried. */
  readonly from: readonly string[]
}

export const writeSearch = (search: Search): string => scheme + encodeURIComponent(JSON.stringify(search))

export const readSearch = (specifier: string): Search | undefined =>
  specifier.startsWith(scheme) ? (JSON.parse(decodeURIComponent(specifier.slice(scheme.length))) as Search) : undefined

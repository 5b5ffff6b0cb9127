/** A specifier for a package that is looked for from several places, for the resolve hook. */

const scheme = 'sallyport-search:'

export interface Search {
  readonly name: string
  /** URLs of files or directories, in the order in which they are tried. */
  readonly from: readonly string[]
}

export const writeSearch = (search: Search): string => scheme + encodeURIComponent(JSON.stringify(search))

export const readSearch = (specifier: string): Search | undefined =>
  specifier.startsWith(scheme) ? (JSON.parse(decodeURIComponent(specifier.slice(scheme.length))) as Search) : undefined

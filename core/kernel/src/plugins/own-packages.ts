/** Packages that authors import: whatever lies beside a plugin, it gets those of the running kernel. */
const packages = ['core', 'kit', 'checks', 'outbound', 'weights', 'tool-loop', 'kernel', 'testing']

/** Whether a specifier names one of them, or an entry of one: a second copy would have other classes and queues. */
export const isOwnPackage = (specifier: string): boolean => {
  const [scope, name = ''] = specifier.split('/')
  return scope === '@sallyport' && packages.includes(name)
}

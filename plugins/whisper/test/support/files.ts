import { useTemporaryDirectory } from '@sallyport/stand-ins/temporary'

/** A folder for the tests of a suite, which is removed after them. Returns what writes a file into it. */
export const temporaryFolder = () => {
  const { path: folder, write } = useTemporaryDirectory()
  let count = 0
  return Object.assign((content: Uint8Array | string, name = `file-${count++}`) => write(name, content), { folder })
}

import { existsSync, readdirSync, readFileSync } from 'node:fs'

/** Whether a process runs. One that nobody has buried yet is dead all the same. */
export const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return !existsSync('/proc/self/stat') || !/^\d+ \(.*\) [ZX]/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}

/** The process of a model of this process, by the title that the runner gives it. Linux only. */
export const processOf = (model: string): number => {
  const tasks = readdirSync('/proc/self/task')
  const children = tasks.flatMap((task) => readFileSync(`/proc/self/task/${task}/children`, 'utf8').trim().split(' '))
  const found = children.find((id) => id !== '' && titleOf(id) === `sallyport: ${model}`)
  if (found === undefined) throw new Error(`no process is called "sallyport: ${model}"`)
  return Number(found)
}

/** A title is padded with NUL to the length of the command line that it replaces. */
const titleOf = (id: string): string => readFileSync(`/proc/${id}/cmdline`, 'utf8').replaceAll('\0', '').trim()

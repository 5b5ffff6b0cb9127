import type { Pacer } from '@sallyport/kit/async'
import type { Span } from '@sallyport/kit/views'
import { seedLength } from './instructions.js'
import type { Instructions } from './instructions.js'

/** A run of letters that a text shares with the instructions. */
interface Run extends Span {
  /** The number of words of the instructions in the run. */
  readonly words: number
}

/** How many letters are processed between two pauses. */
const pauseInterval = 4096
/** How many comparisons a letter may take on average, and how far runs reach to either side when these are used up. */
const [comparisonsPerLetter, maxReducedReach] = [64, 128]

/** Finds the longest common runs of a text with instructions, one after the other, in time linear in the text. */
export class Repetitions {
  private comparisonsLeft: number
  /** The end of what has been compared of the text, by the offset between both texts. */
  private readonly comparedUpTo = new Map<number, number>()

  constructor(
    private readonly text: string,
    private readonly instructions: Instructions,
  ) {
    this.comparisonsLeft = comparisonsPerLetter * text.length
  }

  /** @param minWords the number of words from which a run counts, so that the next one begins after it */
  async find(minWords: number, pacer: Pacer): Promise<Run[]> {
    const runs: Run[] = []
    let paused = 0
    for (let at = 0; at + seedLength <= this.text.length; at += 1) {
      if (at - paused >= pauseInterval) {
        await pacer.pause()
        this.comparedUpTo.clear()
        paused = at
      }
      const positions = this.instructions.seeds.get(this.text.slice(at, at + seedLength))
      const run = positions && this.best(at, positions)
      if (run) runs.push(run)
      if (run && run.words >= minWords) at = run.end - 1
    }
    return runs
  }

  private best(at: number, positions: readonly number[]): Run | undefined {
    let best: Run | undefined
    for (const position of positions) {
      if ((this.comparedUpTo.get(position - at) ?? 0) > at) continue
      const run = this.extend(at, position)
      this.comparedUpTo.set(position - at, run.end)
      if (run.words > (best?.words ?? 0)) best = run
    }
    return best
  }

  /** Extends a common seed to both sides. */
  private extend(at: number, position: number): Run {
    const { text, instructions } = this
    const reach = this.comparisonsLeft > 0 ? Infinity : maxReducedReach
    let [before, after] = [0, seedLength]
    while (before < reach && at > before && text[at - before - 1] === instructions.text[position - before - 1])
      before += 1
    while (after < reach && at + after < text.length && text[at + after] === instructions.text[position + after])
      after += 1
    this.comparisonsLeft -= before + after
    const words = instructions.wordsBetween(position - before, position + after)
    return { start: at - before, end: at + after, words }
  }
}

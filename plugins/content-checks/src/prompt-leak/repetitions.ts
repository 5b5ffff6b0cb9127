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
const slice = 4096
/** The budget of comparisons per letter. Texts that exceed it repeat letters; then runs are compared this far only. */
const [comparisonsPerLetter, maxShortReach] = [64, 128]

/** Finds the longest common runs of a text with instructions, one after the other, in time linear in the text. */
export class Repetitions {
  private comparisonsLeft: number
  /** Up to where the text has been compared, by the offset between both texts. */
  private readonly compared = new Map<number, number>()

  constructor(
    private readonly text: string,
    private readonly instructions: Instructions,
  ) {
    this.comparisonsLeft = comparisonsPerLetter * text.length
  }

  /** @param minWords words of a run, behind which the next one begins at its end */
  async find(minWords: number, pacer: Pacer): Promise<Run[]> {
    const runs: Run[] = []
    let paused = 0
    for (let at = 0; at + seedLength <= this.text.length; at += 1) {
      if (at - paused >= slice) {
        await pacer.pause()
        this.compared.clear()
        paused = at
      }
      const places = this.instructions.seeds.get(this.text.slice(at, at + seedLength))
      const bestRunAt = places && this.best(at, places)
      if (!bestRunAt) continue
      runs.push(bestRunAt)
      if (bestRunAt.words >= minWords) at = bestRunAt.end - 1
    }
    return runs
  }

  private best(at: number, places: readonly number[]): Run | undefined {
    let best: Run | undefined
    for (const place of places) {
      if ((this.compared.get(place - at) ?? 0) > at) continue
      const runAt = this.run(at, place)
      this.compared.set(place - at, runAt.end)
      if (runAt.words > (best?.words ?? 0)) best = runAt
    }
    return best
  }

  private run(at: number, place: number): Run {
    const { text, instructions } = this
    const reach = this.comparisonsLeft > 0 ? Infinity : maxShortReach
    let [before, behind] = [0, seedLength]
    while (before < reach && at > before && text[at - before - 1] === instructions.text[place - before - 1]) before += 1
    while (behind < reach && at + behind < text.length && text[at + behind] === instructions.text[place + behind])
      behind += 1
    this.comparisonsLeft -= before + behind
    const words = instructions.wordsBetween(place - before, place + behind)
    return { start: at - before, end: at + behind, words }
  }
}

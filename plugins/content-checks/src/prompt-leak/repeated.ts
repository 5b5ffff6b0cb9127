import type { Pacer } from '@sallyport/kit/async'
import type { Span } from '@sallyport/kit/views'
import { seedLength } from './instructions.js'
import type { Instructions } from './instructions.js'

/** What a text has in common with instructions, in its letters. */
interface Run extends Span {
  /** Words of the instructions. */
  readonly words: number
}

/** Letters between two pauses. */
const slice = 4096
/** Comparisons for each letter; what needs more has rows of the same letters, and is compared no further than this. */
const [comparisonsPerLetter, shortReach] = [64, 128]

/** Finds the longest common runs of a text with instructions, one after the other, in time linear in the text. */
export class Repetitions {
  private left: number
  /** How far the text has been compared, by the distance between both texts. */
  private readonly compared = new Map<number, number>()

  constructor(
    private readonly text: string,
    private readonly instructions: Instructions,
  ) {
    this.left = comparisonsPerLetter * text.length
  }

  /** @param enough words of a run, behind which the next one begins at its end */
  async find(enough: number, pacer: Pacer): Promise<Run[]> {
    const runs: Run[] = []
    let paused = 0
    for (let at = 0; at + seedLength <= this.text.length; at += 1) {
      if (at - paused >= slice) {
        await pacer.pause()
        this.compared.clear()
        paused = at
      }
      const places = this.instructions.seeds.get(this.text.slice(at, at + seedLength))
      const best = places && this.best(at, places)
      if (!best) continue
      runs.push(best)
      if (best.words >= enough) at = best.end - 1
    }
    return runs
  }

  private best(at: number, places: readonly number[]): Run | undefined {
    let best: Run | undefined
    for (const place of places) {
      if ((this.compared.get(place - at) ?? 0) > at) continue
      const run = this.run(at, place)
      this.compared.set(place - at, run.end)
      if (run.words > (best?.words ?? 0)) best = run
    }
    return best
  }

  private run(at: number, place: number): Run {
    const { text, instructions } = this
    const reach = this.left > 0 ? Infinity : shortReach
    let [before, behind] = [0, seedLength]
    while (before < reach && at > before && text[at - before - 1] === instructions.text[place - before - 1]) before += 1
    while (behind < reach && at + behind < text.length && text[at + behind] === instructions.text[place + behind])
      behind += 1
    this.left -= before + behind
    const words = instructions.wordsBetween(place - before, place + behind)
    return { start: at - before, end: at + behind, words }
  }
}

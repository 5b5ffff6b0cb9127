import { renamedField } from './renamed-field.js'

/** Where an error names one of the inputs of a part of a request (`inputs[1].image`): its place in the whole one. */
export const movedInput = (error: unknown, place: (index: number) => number): unknown =>
  renamedField(error, (field) =>
    field.replace(/^inputs\[(\d+)\]/, (_, index: string) => `inputs[${place(Number(index))}]`),
  )

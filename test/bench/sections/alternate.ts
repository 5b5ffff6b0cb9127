/**
 * Measures each subject once per round, one right after the other and in turns first, so that what the rest of the
 * machine does hits all of them.
 * @returns for each subject its values, one per round
 */
export const alternate = async <Subject, Value>(
  subjects: readonly Subject[],
  rounds: number,
  measure: (subject: Subject, round: number) => Promise<Value>,
): Promise<{ readonly subject: Subject; readonly values: readonly Value[] }[]> => {
  const measured = subjects.map((subject) => ({ subject, values: [] as Value[] }))
  for (let round = 0; round < rounds; round += 1)
    for (const { subject, values } of round % 2 === 0 ? measured : measured.toReversed())
      values.push(await measure(subject, round))
  return measured
}

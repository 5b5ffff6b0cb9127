// mocha's spec reporter, closed by one line that names every skipped test and one that counts.
const { reporters } = require('mocha')

module.exports = class CountingReporter extends reporters.Spec {
  constructor(runner, options) {
    super(runner, options)
    const skipped = []
    runner.on('pending', (test) => skipped.push(test.fullTitle()))
    runner.once('end', () => {
      const { passes, failures, pending } = this.stats
      for (const title of skipped) console.log(`skipped: ${title}`)
      console.log(`${passes} passed, ${failures} failed, ${pending} skipped`)
    })
  }
}

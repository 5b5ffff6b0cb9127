// mocha's spec reporter for one process of several: what became of each test goes to the file `results`, a line each.
const { appendFileSync } = require('node:fs')
const { format } = require('node:util')
const { reporters } = require('mocha')

const { Base, Spec } = reporters

module.exports = class ResultsReporter extends Spec {
  constructor(runner, options) {
    super(runner, options)
    const { results } = options.reporterOptions
    const note = (result) => appendFileSync(results, `${JSON.stringify(result)}\n`)
    runner.on('pass', (test) => note({ kind: 'passed', title: test.fullTitle(), duration: test.duration }))
    runner.on('pending', (test) => note({ kind: 'skipped', title: test.fullTitle() }))
    runner.on('fail', (test) =>
      note({ kind: 'failed', title: test.fullTitle(), duration: test.duration, details: detailsOf(test) }),
    )
    runner.once('end', () => note({ kind: 'finished' }))
  }

  /** The whole run has one summary. */
  epilogue() {}
}

/** As mocha lists a failure below its summary. */
function detailsOf(test) {
  const lines = []
  const print = Base.consoleLog
  Base.consoleLog = (...args) => lines.push(format(...args))
  try {
    Base.list([test])
  } finally {
    Base.consoleLog = print
  }
  return lines.join('\n')
}

import { execFileSync } from 'node:child_process'
import { mkdirSync, symlinkSync } from 'node:fs'
import { expect } from 'chai'
import { ownCommand } from '@sallyport/kit/installation'
import { useTemporaryDirectory } from '@sallyport/stand-ins/temporary'
import { program, root } from '@sallyport/stand-ins/command-line'

describe('the command that messages name', () => {
  const directory = useTemporaryDirectory()

  it('is one that runs where it is named', () => {
    const command = ownCommand(directory.path)
    expect(command).to.equal(`node ${program}`)
    expect(execFileSync('sh', ['-c', `${command} --version`], { cwd: directory.path, encoding: 'utf8' })).to.match(
      /^\d/,
    )
  })

  it('is short inside of what it lies in', () => {
    expect(ownCommand(`${root}core/cli`)).to.equal('node bin/sallyport.mjs')
  })

  it('is that of npx only where this is this installation', () => {
    mkdirSync(`${directory.path}/node_modules/.bin`, { recursive: true })
    const link = `${directory.path}/node_modules/.bin/sallyport`
    symlinkSync(directory.write('other.mjs', ''), link)
    expect(ownCommand(directory.path)).to.equal(`node ${program}`)
    expect(ownCommand(root.replace(/\/$/, ''))).to.equal('npx sallyport')
  })
})

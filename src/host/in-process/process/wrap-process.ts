import os from 'node:os'

import { SnapshotError } from '../../../errors.ts'
import { currentScope, type RunScope } from '../scope.ts'
import { wrapEnvironment, wrapEnvironmentFile } from './environment.ts'
import { sharedTemp } from '../../folders/real-root.ts'
import { wrapEvents } from './wrap-events.ts'
import { wrapExit } from './wrap-exit.ts'
import { wrapStandardStreams } from './wrap-streams.ts'

/** Gives runs their own environment, working directory, home, standard streams, process events and exit. */
export function wrapProcess(): void {
  wrapEnvironment()
  wrapEnvironmentFile()
  wrapDirectories()
  wrapStandardStreams()
  wrapEvents()
  wrapExit()
}

function wrapDirectories(): void {
  const cwd = process.cwd.bind(process)
  const chdir = process.chdir.bind(process)
  process.cwd = () => currentScope()?.cwd ?? cwd()
  process.chdir = directory => {
    if (currentScope() === undefined) {
      chdir(directory)
      return
    }
    throw new SnapshotError(
      'ISOLATION',
      `process.chdir(${JSON.stringify(directory)}) was called inside a run. The working directory belongs to the whole ` +
        `process, which other runs share: pass the directory on to what needs it instead.`,
    )
  }
  const { homedir, tmpdir, userInfo } = os
  os.homedir = () => {
    const scope = currentScope()
    return scope === undefined ? homedir() : homeOf(scope)
  }
  os.tmpdir = () => (currentScope() === undefined ? tmpdir() : sharedTemp())
  os.userInfo = ((options?: os.UserInfoOptions) => {
    const info = userInfo(options as os.UserInfoOptionsWithStringEncoding)
    const scope = currentScope()
    if (scope === undefined) return info
    const encoded = (text: string): string | Buffer =>
      options?.encoding === 'buffer' ? Buffer.from(text) : text
    return { ...info, username: encoded('user'), homedir: encoded(homeOf(scope)) }
  }) as typeof os.userInfo
}

/** The real function prefers the variable as well. */
function homeOf(scope: RunScope): string {
  const { HOME: given } = scope.env
  return given === undefined || given === '' ? scope.home : given
}

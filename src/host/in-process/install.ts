import { syncBuiltinESMExports } from 'node:module'

import { wrapFs } from './disk/wrap-fs.ts'
import { discardRealRoot } from '../folders/real-root.ts'
import { wrapNetwork } from './process/wrap-network.ts'
import { wrapProcess } from './process/wrap-process.ts'
import { wrapSpawn } from './process/wrap-spawn.ts'
import { currentScope, slot } from './scope.ts'

/**
 * Wraps the process-wide functions that a run must have its own answer of, once in a process. They stay wrapped:
 * outside a run they do what they always did.
 */
export function installScopes(): void {
  if (slot.installed) return
  slot.installed = true
  wrapFs()
  wrapProcess()
  wrapSpawn()
  wrapNetwork(() => {
    const scope = currentScope()
    return scope?.network === 'refused' ? message => scope.stdio.stderr.write(message) : undefined
  })
  syncBuiltinESMExports()
  process.on('exit', code => {
    try {
      for (const scope of slot.live) slot.scopes.run(scope, () => scope.processEvents.emit('exit', code))
    } finally {
      discardRealRoot()
    }
  })
}

import { syncBuiltinESMExports } from 'node:module'

import { wrapNetwork } from '../in-process/process/wrap-network.ts'
import { currentScope } from '../in-process/scope.ts'

/**
 * Refuses connections to the agent of this process from now on; what is connected already stays so.
 *
 * @returns to be called when the agent is gone
 */
export function refuseNetwork(): () => void {
  let isOver = false
  // In a process of the agent's own that is everybody.
  const agent = currentScope()
  wrapNetwork(() => {
    if (isOver || currentScope() !== agent) return undefined
    return message => process.stderr.write(message)
  })
  syncBuiltinESMExports()
  return () => {
    isOver = true
  }
}

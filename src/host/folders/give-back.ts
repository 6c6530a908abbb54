import { removeRunFolders, type RunFolders } from './run-folders.ts'

/** Removes a run's folders. Never throws: how the run went says more than what it leaves behind. */
export async function giveBack(folders: RunFolders): Promise<void> {
  await removeRunFolders(folders).catch((error: unknown) => {
    process.emitWarning(
      `acp-snapshot: a folder of a run could not be removed: ${String(error)}. Remove it by hand.`,
    )
  })
}

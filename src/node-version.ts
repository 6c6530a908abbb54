import { SnapshotError } from './errors.ts'

/** The first Node that has all that the agents of this library use: zstd in `node:zlib`. */
const oldest = [22, 15] as const

/**
 * Refuses a Node that is too old, before something in a plugin fails for a reason that says nothing.
 *
 * @param version - such as `22.15.0`
 * @throws SnapshotError with code `USAGE`
 */
export function checkNodeVersion(version: string = process.versions.node): void {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  if (major > oldest[0] || (major === oldest[0] && minor >= oldest[1])) return
  throw new SnapshotError(
    'USAGE',
    `acp-snapshot needs Node ${oldest.join('.')} or later, and this is Node ${version}. Update Node, or add a fitting one ` +
      `to the project: npm install --save-dev node@24, or pnpm add -D --allow-build=node node@24.`,
  )
}

import { execFileSync } from 'node:child_process'

import { onTestFinished } from 'vitest'

/** Makes a folder 600 deep, in one whose own path can't be named: that takes more than a path may have. */
export function deepTree(folder: string): void {
  const part = 'aaaaaaaa/'.repeat(60)
  const script = `for _ in $(seq 10); do mkdir -p ${part} && cd -P ${part} || exit 1; done; echo x > f`
  execFileSync('bash', ['-c', script], { cwd: folder })
  // Node's own removal, which the end of a test does by, fails of it.
  onTestFinished(() => void execFileSync('rm', ['-rf', `${folder}/aaaaaaaa`]))
}

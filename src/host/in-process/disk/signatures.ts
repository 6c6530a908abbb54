/** Where an fs function takes its paths. */
export interface FsSignature {
  /** Argument positions. */
  readonly paths: readonly number[]
  /** The first argument may be a file descriptor or a handle instead of a path. */
  readonly descriptor?: true
  /** The virtual disk can serve it. */
  readonly routed: boolean
}

const onePath = (names: string): [string, FsSignature][] =>
  names.split(' ').map(name => [name, { paths: [0], routed: true }])

const pathOrDescriptor = (names: string): [string, FsSignature][] =>
  names.split(' ').map(name => [name, { paths: [0], descriptor: true, routed: true }])

const twoPaths = (names: string): [string, FsSignature][] =>
  names.split(' ').map(name => [name, { paths: [0, 1], routed: true }])

const descriptorOnly = (names: string): [string, FsSignature][] =>
  names.split(' ').map(name => [name, { paths: [], descriptor: true, routed: true }])

/** Takes a path, but memfs has no such function or one that does not keep to Node's contract. */
const unrouted = (names: string): [string, FsSignature][] =>
  names.split(' ').map(name => [name, { paths: [0], routed: false }])

/**
 * Every function of `node:fs` and `node:fs/promises` that takes a path or a descriptor, by its name without `Sync`;
 * streams and globs go their own ways.
 * A function that is not listed is treated as unrouted with paths in its first two arguments, so that a new one in a
 * later Node fails on a virtual path instead of reaching the real disk.
 */
export const fsSignatures: ReadonlyMap<string, FsSignature> = new Map([
  ...onePath(
    'access chmod chown exists lchmod lchown lstat lutimes mkdir mkdtemp open opendir readdir readlink realpath',
  ),
  ...onePath('rm rmdir stat statfs truncate unlink unwatchFile utimes watch watchFile'),
  ...pathOrDescriptor('appendFile readFile writeFile'),
  ...twoPaths('copyFile cp link rename symlink'),
  ...descriptorOnly('close fchmod fchown fdatasync fstat fsync ftruncate futimes read readv write writev'),
  ...unrouted('mkdtempDisposable openAsBlob'),
])

/** Streams open their file through `fs.open`, which is routed: they only need their relative path resolved. */
export const streamFactories: ReadonlySet<string> = new Set(['createReadStream', 'createWriteStream'])

/** Functions of `node:fs` that take no path. */
export const pathless: ReadonlySet<string> = new Set(['_toUnixTimestamp'])

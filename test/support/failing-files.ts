/** How a call fails: too many open files, not ours to read, a broken disk. */
export const codes = ['EMFILE', 'EACCES', 'EIO'] as const;
/** A volume that is gone. */
const others = ['ESTALE'] as const;

interface Failure {
  /** The nth call, from 0; or each call of this name and path, as `end` lists them. */
  readonly at: number | string;
  readonly code: (typeof codes)[number] | (typeof others)[number];
}

/**
 * Stands between the code under test and the file system: counts every call that looks at something
 * below one folder, also through an open file, and makes one of them fail. For `vi.mock('node:fs')`
 * and `vi.mock('node:fs/promises')`; what a test itself does between `begin` and `end` counts as
 * well.
 */
class FailingFiles {
  #root: string | undefined;
  #aside: string | undefined;
  #calls: string[] = [];
  #failure: Failure | undefined;
  #hasFailed = false;
  /**
   * Called before each call that counts, with its name: for a file that is changed between two of
   * them.
   */
  before: (call: string, path: string) => void = () => undefined;

  /** What lies in the folder `aside`, below the root, does not count. */
  begin(root: string, { failure, aside }: { failure?: Failure; aside?: string } = {}): void {
    this.#root = root;
    this.#aside = aside === undefined ? undefined : `${root}/${aside}`;
    this.#calls = [];
    this.#failure = failure;
    this.#hasFailed = false;
  }

  /** What was called, and whether one of them failed. */
  end(): { readonly calls: readonly string[]; readonly hasFailed: boolean } {
    this.#root = undefined;
    return { calls: this.#calls, hasFailed: this.#hasFailed };
  }

  wrapSync<T extends object>(module: T): T {
    const wrapped = wrapEach(module, syncCalls, (name, call) => (...args: unknown[]) => {
      const failure = this.#count(name, args[0]);
      // It has no way to tell.
      if (failure && name === 'existsSync') return false;
      if (failure) throw failure;
      return call(...args);
    });
    return { ...wrapped, default: wrapped };
  }

  wrapPromises<T extends object>(module: T): T {
    const wrapped = wrapEach(module, promiseCalls, (name, call) => async (...args: unknown[]) => {
      const failure = this.#count(name, args[0]);
      if (failure) throw failure;
      const answer = await call(...args);
      return name === 'open' ? this.#wrapHandle(answer as object, String(args[0])) : answer;
    });
    return { ...wrapped, default: wrapped };
  }

  #wrapHandle(handle: object, path: string): object {
    return new Proxy(handle, {
      get: (target, name) => {
        const value: unknown = Reflect.get(target, name, target);
        if (typeof value !== 'function') return value;
        return (...args: unknown[]): unknown => {
          const isCounted = handleCalls.has(String(name));
          const failure = isCounted ? this.#count(`handle.${String(name)}`, path) : undefined;
          // Closed all the same, as the system does.
          if (failure && name === 'close') void (value.call(target) as Promise<void>);
          return failure ? Promise.reject(failure) : value.apply(target, args);
        };
      },
    });
  }

  #count(name: string, path: unknown): Error | undefined {
    const root = this.#root;
    const isOurs = typeof path === 'number' || String(path).startsWith(root ?? '?');
    const isAside = this.#aside !== undefined && String(path).startsWith(this.#aside);
    if (root === undefined || !isOurs || isAside) return undefined;
    this.before(name, String(path));
    const label = `${name} ${String(path).slice(root.length)}`;
    const at = this.#calls.push(label) - 1;
    if (this.#failure?.at !== at && this.#failure?.at !== label) return undefined;
    this.#hasFailed = true;
    const { code } = this.#failure;
    return Object.assign(new Error(`${code}: made to fail, ${name} '${path}'`), { code });
  }
}

export const failingFiles = new FailingFiles();

const syncCalls = ['readdirSync', 'readFileSync', 'openSync', 'readSync', 'closeSync', 'statSync'];
syncCalls.push(
  'lstatSync',
  'fstatSync',
  'existsSync',
  'accessSync',
  'realpathSync',
  'readlinkSync',
);
const promiseCalls = ['readdir', 'readFile', 'open', 'stat', 'lstat', 'access', 'realpath'];
promiseCalls.push('readlink', 'opendir');
const handleCalls = new Set(['read', 'stat', 'readFile', 'readv', 'close']);

type Call = (...args: unknown[]) => unknown;

function wrapEach<T extends object>(
  module: T,
  names: readonly string[],
  wrap: (name: string, call: Call) => Call,
): T {
  const calls = module as Record<string, unknown>;
  const wrapped = names.map((name) => [name, wrap(name, calls[name] as Call)]);
  return { ...module, ...Object.fromEntries(wrapped) };
}

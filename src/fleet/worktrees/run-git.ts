import { type ExecFileException, execFile } from 'node:child_process';
import { systemClock } from '../../shared/clock.ts';
import { Fault } from '../../shared/fault.ts';
import { keepAbsolute } from '../../shared/find-on-path.ts';
import { underUmask } from '../../shared/umask.ts';

/**
 * Questions take milliseconds; only a checkout may take long, and whoever launches waits a minute
 * at most.
 */
const questionMs = 10_000;
export const checkoutMs = 45_000;
/** Another git has the repository's lock: that passes, or somebody died in it. */
const lockWaitMs = 5000;
const maxOutput = 32 * 1024 * 1024;

export interface GitPlace {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /**
   * It is known to be a repository, perhaps one without a working tree. Elsewhere such a one is
   * none: a clone may hold it as a folder.
   */
  readonly mayBeBare?: true;
}

export interface GitOptions {
  readonly deadlineMs?: number;
  /** For what it makes; ours, where none is given. */
  readonly umask?: number;
  readonly input?: string;
}

export interface GitEnd {
  readonly code: number;
  readonly stdout: string;
  /** Git's own first line of what went wrong. */
  readonly said: string;
}

/**
 * Runs git, without a shell, and answers with its exit code. Variables such as GIT_DIR, which a
 * hook or an agent's own git would leave us, could turn any command at another repository: none of
 * them is passed on. While another git holds a lock it is tried again; git tells that in words
 * alone, of which the file's name is the same in every language.
 */
export async function runGit(
  place: GitPlace,
  args: readonly string[],
  options: GitOptions = {},
): Promise<GitEnd> {
  const endsAtMs = systemClock.monotonicMs() + lockWaitMs;
  for (let waitMs = 25; ; waitMs = Math.min(waitMs * 2, 400)) {
    const end = await runOnce(place, args, options);
    const isBusy = end.code !== 0 && busy.some((words) => words.test(end.said));
    if (!isBusy || systemClock.monotonicMs() + waitMs > endsAtMs) return end;
    await systemClock.sleep(waitMs);
  }
}

/**
 * Somebody else is at it: a lock, or a worktree that is half made, which every git that looks at
 * all of them reads (2.39.5: `failed to read .git/worktrees/x/commondir: Success`, in 2 of 12 runs
 * of ten at once on a busy machine).
 */
const busy = [/\.lock\b/, /failed to read .*\bworktrees\b.*: (Success|Undefined error: 0)/];

/** The same for a command that must succeed. */
export async function askGit(
  place: GitPlace,
  args: readonly string[],
  options: GitOptions = {},
): Promise<string> {
  const { code, stdout, said } = await runGit(place, args, options);
  if (code === 0) return stdout;
  throw new Fault(
    'launch-failed',
    `git ${args[0]} failed in ${JSON.stringify(place.cwd)}: ${said || `exit ${code}`}.`,
    'Mend that, and try again.',
  );
}

/** One line, without its end; a path may end in spaces. */
export async function askLine(place: GitPlace, args: readonly string[]): Promise<string> {
  return (await askGit(place, args)).replace(/\n$/, '');
}

function runOnce(place: GitPlace, args: readonly string[], options: GitOptions): Promise<GitEnd> {
  const timeout = options.deadlineMs ?? questionMs;
  return new Promise((resolve, reject) => {
    const words = ['git', ...guardsOf(place, args), ...args];
    const { umask } = options;
    const [command = '', ...rest] = umask === undefined ? words : underUmask(umask, words);
    const child = execFile(
      command,
      rest,
      { cwd: place.cwd, env: cleanEnvironment(place.env, args), timeout, maxBuffer: maxOutput },
      (error, stdout, stderr) => {
        const [said = ''] = stderr.trim().split('\n');
        if (!error) return resolve({ code: 0, stdout, said });
        if (typeof error.code === 'number') return resolve({ code: error.code, stdout, said });
        return reject(explain(error, args[0] ?? '', place.cwd, timeout));
      },
    );
    // A git that ends before it has read everything has said why by its exit code.
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(options.input ?? '');
  });
}

function explain(error: ExecFileException, command: string, cwd: string, timeout: number): Fault {
  if (error.killed) {
    return new Fault(
      'timed-out',
      `git ${command} in ${JSON.stringify(cwd)} took longer than ${timeout / 1000} s.`,
      'See what keeps it busy: a hook of the repository, a slow disk, or its size.',
      { cause: error },
    );
  }
  const isMissing = error.code === 'ENOENT';
  return new Fault(
    'launch-failed',
    isMissing
      ? 'There is no git on the PATH; a worktree needs it.'
      : `git ${command} could not be run: ${error.message}.`,
    isMissing ? 'Install git, or launch without --worktree.' : 'Mend that, and try again.',
    { cause: error },
  );
}

/**
 * A repository's own settings may name programs that git runs with a question: `core.fsmonitor`, a
 * hook after a look at the index, a way to fetch what a partial clone lacks (`GIT_ALLOW_PROTOCOL`
 * allows none). A folder of a clone that looks like a bare repository has such settings with it
 * (git 2.38 and later can tell: `safe.bareRepository`).
 */
function guardsOf({ mayBeBare }: GitPlace, args: readonly string[]): readonly string[] {
  return [
    ...['-c', 'core.fsmonitor=false'],
    ...(mayBeBare ? [] : ['-c', 'safe.bareRepository=explicit']),
    ...(isAct(args) ? [] : ['-c', 'core.hooksPath=/dev/null']),
  ];
}

/**
 * What changes the repository runs its hooks, and may fetch: a checkout of a partial clone has to.
 * All else is a question.
 */
function isAct([command = '']: readonly string[]): boolean {
  return command === 'worktree' || command === 'branch';
}

/**
 * Asks nobody for a password, speaks one language, and finds nothing in the folder that it runs in.
 */
function cleanEnvironment(
  env: Readonly<Record<string, string>>,
  args: readonly string[],
): Record<string, string> {
  const kept = Object.entries(env).filter(([name]) => !name.startsWith('GIT_') && name !== 'PATH');
  const path = keepAbsolute(env['PATH'] ?? '');
  return {
    ...Object.fromEntries(kept),
    ...(path === '' ? {} : { PATH: path }),
    ...{ GIT_TERMINAL_PROMPT: '0', LC_ALL: 'C' },
    ...(isAct(args) ? {} : { GIT_ALLOW_PROTOCOL: 'none' }),
  };
}

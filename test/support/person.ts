import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { onTestFinished } from 'vitest';
import { program } from './cli.ts';
import { WaitedInVain, waitUntil } from './wait-until.ts';

const run = promisify(execFile);

const usualPrompt = /\[(?:(?:y|trust)\/N|(?:[ad]\/)+L)\]/;
/** Counted from the first line that the pane ever had: it grows with each line. */
const lineOfCursor = '#{e|+:#{history_size},#{cursor_y}}';

/**
 * Somebody who sits at a terminal: commands run in a pane of a tmux server of its own, and
 * questions are answered by keys.
 */
export interface Person {
  /**
   * Runs one command. `answers` are typed one after another, each with Enter once another `[y/N]`
   * or `[trust/N]` stands on the screen.
   */
  type(args: readonly string[], answers?: readonly string[], more?: PersonOptions): Promise<Shown>;
  /** Runs one line by `sh`; in it `$SB` is our program. */
  shell(line: string, more?: Pick<PersonOptions, 'env'>): Promise<Shown>;
}

interface PersonOptions {
  readonly cwd?: string;
  /** Instead of our own. */
  readonly program?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** What the person does before any question. */
  readonly before?: (keys: (text: string) => Promise<void>) => Promise<void>;
  /** What happens between the question and the answer. */
  readonly meanwhile?: () => void;
  /** What the last line ends with at each question, where earlier ones may scroll away. */
  readonly prompt?: RegExp;
}

interface Shown {
  readonly code: number;
  /** The whole screen, with lines that the terminal broke put together again. */
  readonly screen: string;
  /** The same as the terminal shows it. */
  readonly rows: readonly string[];
  /** The rows as they stood there at each answer. */
  readonly asked: readonly (readonly string[])[];
}

export async function openPerson(home: string, columns = 150, rows = 200): Promise<Person> {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-person-'));
  const socket = join(folder, 'tmux.sock');
  // What marks a process as a CLI's own child would speak against the person.
  const env = { PATH: process.env['PATH'], HOME: folder, TERM: 'xterm-256color', LANG: 'C.UTF-8' };
  const tmux = async (...args: readonly string[]): Promise<string> =>
    (await run('tmux', ['-u', '-S', socket, '-f', '/dev/null', ...args], { env })).stdout;
  await tmux(
    'new-session',
    '-d',
    '-x',
    String(columns),
    '-y',
    String(rows),
    '-s',
    'person',
    'sleep',
    '3600',
  );
  onTestFinished(async () => {
    await tmux('kill-server');
    rmSync(folder, { recursive: true, force: true });
  });
  let count = 0;
  const words = [process.execPath, program];
  const person: Person = {
    shell: (line, { env = {} } = {}) => {
      const sb = { ...env, SB: words.join(' ') };
      return person.type(['-c', line], [], { env: sb, program: ['sh'] });
    },
    type: async (args, answers = [], options = {}) => {
      const { cwd = folder, env: more = {}, before, meanwhile, prompt, program = words } = options;
      const end = join(folder, `end-${count++}`);
      const variables = Object.entries({ SIGNALBOX_HOME: home, ...more });
      const pane = (
        await tmux(
          ...['new-window', '-d', '-P', '-F', '#{pane_id}', '-c', cwd],
          ...variables.flatMap(([name, value]) => ['-e', `${name}=${value}`]),
          ...[
            'sh',
            '-c',
            'end=$1; shift; "$@"; echo $? > "$end.new"; mv "$end.new" "$end"; exec sleep 3600',
          ],
          ...['sh', end, ...program, ...args],
        )
      ).trim();
      const look = (): Promise<string> => tmux('capture-pane', '-p', '-J', '-t', pane);
      const drawn = async (): Promise<readonly string[]> =>
        (await tmux('capture-pane', '-p', '-t', pane)).trimEnd().split('\n');
      const until = async (isSo: () => Promise<boolean> | boolean, what: string): Promise<void> => {
        try {
          await waitUntil(what, isSo);
        } catch (error) {
          throw error instanceof WaitedInVain ? new Error(`no ${what}: ${await look()}`) : error;
        }
      };
      await before?.(async (text) => {
        await tmux('send-keys', '-t', pane, '-l', text);
        const hasEcho = async (): Promise<boolean> =>
          (await look()).trimEnd().endsWith(`\n${text.trimEnd()}`);
        await until(hasEcho, `echo of ${text}`);
      });
      const asked: (readonly string[])[] = [];
      let place = -1;
      for (const [at, answer] of answers.entries()) {
        const isAsked = async (): Promise<boolean> => {
          if (existsSync(end)) return true;
          const screen = await look();
          if (!prompt) return screen.split(usualPrompt).length > at + 1;
          const now = Number(await tmux('display-message', '-p', '-t', pane, lineOfCursor));
          if (now <= place || !prompt.test(screen.trimEnd())) return false;
          place = now;
          return true;
        };
        await until(isAsked, `question ${at + 1}`);
        if (existsSync(end)) break;
        asked.push(await drawn());
        meanwhile?.();
        await tmux('send-keys', '-t', pane, '-l', answer);
        await tmux('send-keys', '-t', pane, 'Enter');
      }
      await until(() => existsSync(end), 'end');
      const screen = (await look()).trimEnd();
      const rows = await drawn();
      await tmux('kill-window', '-t', pane);
      return { code: Number(readFileSync(end, 'utf8')), screen, rows, asked };
    },
  };
  return person;
}

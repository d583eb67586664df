import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runTmux } from '../lab/run-tmux.ts';
import { waitUntil } from '../support/wait-until.ts';

export interface Film {
  /** The built program. */
  readonly program: string;
  readonly columns: number;
  /** How long the demo is to take, if nobody ended it. */
  readonly seconds: number;
}

/** High enough for the whole story, so that nothing has scrolled away. */
const rows = 60;

/**
 * Runs the demo in a tmux of its own and gives its screen, with colours, at the moment when a
 * worker was killed and another has its task. Then it presses Ctrl-C, and waits until the demo has
 * ended all of its programs.
 */
export async function filmDemo({ program, columns, seconds }: Film): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-film-'));
  const socket = join(folder, 'tmux.sock');
  const tmux = (...args: readonly string[]): Promise<string> => runTmux(socket, args, {});
  const look = (...how: readonly string[]): Promise<string> =>
    tmux('capture-pane', '-p', ...how, '-t', ':');
  try {
    // The shell outlives the Ctrl-C, to say how the demo ended.
    const command = `trap : INT; '${process.execPath}' '${program}' demo --seconds ${seconds}; echo "ended with $?"; exec cat`;
    // The demo makes its folder in here, so a reader of the picture sees no path of this machine.
    const variables = ['-e', `TMPDIR=${folder}`, '-e', 'COLORTERM='];
    const size = ['-x', String(columns), '-y', String(rows)];
    await tmux('new-session', '-d', ...size, ...variables, 'sh', '-c', command);
    try {
      const plain = await waitUntil('a team at work', async () => {
        const screen = await look();
        if (/ended with \d+/.test(screen)) throw new Error(`The demo ended early:\n${screen}`);
        return isTheMoment(screen) ? screen : undefined;
      });
      return cutToStory(await look('-e'), plain);
    } finally {
      await tmux('send-keys', '-t', ':', 'C-c');
      await waitUntil('its end', async () => /ended with \d+/.test(await look()));
    }
  } finally {
    await tmux('kill-server').catch(() => undefined); // There is none if it could not be started.
    rmSync(folder, { recursive: true, force: true });
  }
}

function isTheMoment(screen: string): boolean {
  return /✓ /.test(screen) && /worker-4 +processing/.test(screen);
}

/** From the first event on: what stands above it names a folder of this machine. */
function cutToStory(styled: string, plain: string): string {
  const first = plain.split('\n').findIndex((line) => /^ +\d+\.\ds /.test(line));
  return styled.split('\n').slice(first).join('\n');
}

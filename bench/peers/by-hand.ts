import { LabTerminal } from '../../test/lab/driver.ts';
import { openHome } from '../../test/lab/homes/home.ts';
import { Hands } from '../../test/lab/life/hands.ts';
import type { Life } from '../../test/lab/life/life.ts';
import { waitUntilReady } from '../../test/lab/ready.ts';
import { runTmux } from '../../test/lab/run-tmux.ts';
import type { AtEnd } from '../people/lives.ts';
import { modelRests } from './model-rest.ts';
import type { Seat } from './tool.ts';

/**
 * The same CLI in a tmux of its own, and a script that pastes and presses Enter in one command,
 * without a look at the screen.
 */
export async function openByHand({ lab, gate, mock }: Life, atEnd: AtEnd): Promise<Seat> {
  const home = openHome(lab.name, { mockUrl: gate.url });
  atEnd(async () => home.remove());
  const terminal = await LabTerminal.open({
    argv: [...home.cli.argv, ...home.args],
    env: { ...home.env, ...lab.env },
    cwd: home.cwd,
  });
  atEnd(() => terminal.end());
  const { socket } = terminal;
  await waitUntilReady(terminal, lab.name);
  const find = ['display-message', '-p', '-t', 'lab', '#{pane_id}'];
  const pane = (await runTmux(socket, find, {})).trim();
  return {
    tool: 'by hand',
    cwd: home.cwd,
    hands: new Hands(['tmux', '-S', socket, 'attach', '-t', pane]),
    prompt: async (text) => {
      const startedAt = Date.now();
      const write = ['set-buffer', '-b', 'script', '--', text, ';'];
      const paste = ['paste-buffer', '-p', '-d', '-b', 'script', '-t', pane, ';'];
      await runTmux(socket, [...write, ...paste, 'send-keys', '-t', pane, 'Enter'], {});
      return startedAt;
    },
    rests: async () => {
      await modelRests(mock);
      await terminal.settled();
    },
  };
}

import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, onTestFinished, test } from 'vitest';
import { program } from '../support/cli.ts';
import { waitUntil } from '../support/wait-until.ts';
import { openHostileWorld } from './fixtures/hostile-world.ts';
import { hasTmux } from './fixtures/station.ts';

const run = promisify(execFile);

/** What became of a terminal in which a command ran. */
interface Aftermath {
  readonly title: string;
  /** What programs put on the clipboard. */
  readonly clipboard: string;
  readonly isAlternate: boolean;
  /** What stood there before is still to be seen. */
  readonly isBeforeThere: boolean;
  readonly screen: string;
}

/** Runs a command line in a real terminal, which obeys whatever is printed. */
async function runInTmux(home: string, line: string): Promise<Aftermath> {
  const socket = join(home, 'person.sock');
  const tmux = async (...args: readonly string[]): Promise<string> =>
    (await run('tmux', ['-S', socket, '-f', '/dev/null', ...args])).stdout;
  const shell = `printf 'stood before\\n'; ${line}; printf '\\nended %s\\n' here; exec sleep 300`;
  onTestFinished(async () => {
    await tmux('kill-server');
  });
  await tmux(
    'start-server',
    ';',
    'set',
    '-g',
    'set-clipboard',
    'on',
    ';',
    'set',
    '-g',
    'history-limit',
    '0',
    ';',
    ...[
      'new-session',
      '-d',
      '-x',
      '200',
      '-y',
      '120',
      `SIGNALBOX_HOME='${home}' sh -c "${shell.replaceAll('"', '\\"')}"`,
    ],
  );
  const shown = () => tmux('capture-pane', '-p');
  await waitUntil('the end of the command', async () => (await shown()).includes('ended here'));
  const screen = await shown();
  const [title = '', alternate] = (await tmux('display', '-p', '#{pane_title}\t#{alternate_on}'))
    .trim()
    .split('\t');
  const clipboard = (await tmux('list-buffers')).trim();
  return {
    title,
    clipboard,
    isAlternate: alternate === '1',
    isBeforeThere: screen.includes('stood before'),
    screen,
  };
}

const sbx = `'${process.execPath}' '${program}'`;

describe.skipIf(!hasTmux)('rule 47: in a real terminal', () => {
  test.each([
    ['handoff', 'handoff worker outcome-answered'],
    ['a handoff that failed', 'handoff worker outcome-exited'],
    ['output --follow', 'output worker --follow'],
    ['output', 'output worker'],
    ['logs of an agent', 'logs worker'],
    ['inbox drain', 'inbox drain puller'],
    ['rm', 'rm worker --yes'],
    ['doctor', 'doctor'],
    ['events', 'events'],
  ])(
    '%s neither writes the clipboard, nor sets the title, nor clears the screen',
    async (_, args) => {
      const { home } = await openHostileWorld();
      const { title, clipboard, isAlternate, isBeforeThere, screen } = await runInTmux(
        home,
        `${sbx} ${args}`,
      );
      expect(screen).toContain('FORGED');
      expect({ title, clipboard, isAlternate, isBeforeThere }).toEqual({
        ...{ title: expect.not.stringContaining('pwned'), clipboard: '' },
        ...{ isAlternate: false, isBeforeThere: true },
      });
    },
  );

  test('what was asked for with --raw does all of that: the terminal obeys', async () => {
    const { home } = await openHostileWorld();
    const raw = await runInTmux(home, `${sbx} output worker --follow --raw`);
    expect(raw.title).toContain('pwned');
    expect(raw.clipboard).toContain('pwned');
  });
});

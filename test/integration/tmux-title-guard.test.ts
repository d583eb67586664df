import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { hasTmux, openTmuxWorld } from '../support/tmux.ts';
import { waitUntil } from '../support/wait-until.ts';

const guard = { screen: { absent: [], absentTitle: { regex: '^(✋|✳) ' } } };

/** A program that gives itself this title, and what it gets after a key under that guard. */
async function press(title: string): Promise<readonly [written: string, got: string]> {
  const world = await openTmuxWorld();
  const shown = join(world.folder, 'shown');
  const got = join(world.folder, 'got');
  writeFileSync(shown, `\x1b]0;${title}\x07ready`);
  const keep = `stty raw -echo; : > ${got}; cat ${shown}; exec cat >> ${got}`;
  const terminal = await world.launch(['sh', '-c', keep]);
  await world.untilScreen(terminal, 'ready');
  await waitUntil('its file', () => existsSync(got));
  const written = await world.backend.write(terminal, Buffer.from('x'), { guard });
  // What comes behind it shows that nothing is still on its way.
  await world.backend.write(terminal, Buffer.from('!'));
  await waitUntil('the mark', () => readFileSync(got, 'utf8').endsWith('!'));
  return [written, readFileSync(got, 'utf8')];
}

test.skipIf(!hasTmux)(
  'rules 39, 45: tmux presses nothing while the title tells of a question',
  async () => {
    for (const asks of ['✋ Action Required', '✳ qwen, #{pane_id} #(true) }']) {
      expect(await press(asks)).toEqual(['covered', '!']);
    }
    for (const works of ['✦ Working… (a, b)', 'no ✋ at its beginning', '']) {
      expect(await press(works)).toEqual(['written', 'x!']);
    }
  },
);

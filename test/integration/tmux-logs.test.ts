import { mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect, test } from 'vitest';
import { hasTmux, openTmuxWorld } from '../support/tmux.ts';
import { waitUntil } from '../support/wait-until.ts';

const check = test.skipIf(!hasTmux || process.platform !== 'linux');

check(
  'a full disk is said once, harms no agent, and the log goes on when there is room again (E7)',
  async () => {
    const world = await openTmuxWorld();
    const wanted = world.wanted(['cat']);
    mkdirSync(dirname(wanted.logPath), { recursive: true });
    symlinkSync('/dev/full', wanted.logPath); // Every write to it ends with "no space left".
    const terminal = await world.backend.launch(wanted);
    const type = async (text: string) => {
      await world.backend.write(terminal, Buffer.from(`${text}\r`));
      await world.untilScreen(terminal, text);
    };
    await type('one');
    await waitUntil('the trouble', () => world.heard.troubles.length > 0);
    expect(world.heard.troubles[0]).toEqual([wanted.agent, expect.stringContaining('ENOSPC')]);
    await type('two');
    rmSync(wanted.logPath);
    let count = 0;
    await waitUntil('the log', async () => {
      await type(`again-${++count}`);
      return world.heard.troubles.length > 1;
    });
    expect(world.heard.troubles).toEqual([
      [wanted.agent, expect.stringContaining('ENOSPC')],
      [wanted.agent, undefined],
    ]);
    expect(readFileSync(wanted.logPath, 'utf8')).toMatch(
      /^\r\n\[signalbox: \d+ bytes dropped here\]\r\n/,
    );
  },
);

// Not of one that ends in the same moment: tmux 3.3a may close its terminal before it has read what
// it printed.
check('the last screen of a program that ended is in its log, once (E7, B17)', async () => {
  const world = await openTmuxWorld();
  const wanted = Array.from({ length: 5 }, () =>
    world.wanted(['sh', '-c', 'echo "last words"; sleep 0.3; exit 3']),
  );
  for (const one of wanted) await world.backend.launch(one);
  await waitUntil('their ends', async () =>
    (await world.backend.list()).every(({ isAlive }) => !isAlive),
  );
  await world.backend.list();
  await world.backend.close();
  for (const { logPath } of wanted) {
    const log = readFileSync(logPath, 'utf8');
    expect(log).toMatch(/its last screen was\]\r?\nlast words/);
    expect(log.match(/its last screen was/g)).toHaveLength(1);
  }
});

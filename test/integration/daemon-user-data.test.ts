import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { hasTmux } from '../support/tmux.ts';
import { openStation } from './fixtures/station.ts';

test.skipIf(!hasTmux)(
  'a user’s own data counts for agents that start after it was written; a broken file counts for none',
  async () => {
    const station = await openStation();
    const path = join(station.home, 'detectors', 'scripted.yaml');
    mkdirSync(join(station.home, 'detectors'));
    await station.launch('before');
    await station.until('before', ({ composer }) => composer === 'empty');
    // Whatever its composer shows is a draft.
    const mine = "composer: [{ name: mine, is: draft, before: empty, when: [{ row: '.' }] }]\n";
    writeFileSync(path, mine);
    await station.launch('after');
    await station.until('after', ({ composer }) => composer === 'draft');
    // Half of it.
    writeFileSync(path, mine.slice(0, 30));
    await station.launch('broken');
    await station.until('broken', ({ composer }) => composer === 'empty');
    expect((await station.run(['doctor', '--json'])).stdout).toContain('is not YAML');
    expect((await station.agent('before')).composer).toBe('empty');
    expect((await station.agent('after')).composer).toBe('draft');
    // Others can change it: no command goes on, and agents that run are left as they are.
    writeFileSync(path, mine);
    chmodSync(path, 0o666);
    const refused = await station.run(['launch', 'scripted', '--name', 'exposed']);
    expect([refused.code, refused.stderr]).toEqual([5, expect.stringContaining('chmod go-w')]);
    chmodSync(path, 0o600);
    await station.run(['restart', 'before']);
    await station.until('before', ({ composer }) => composer === 'draft');
  },
);

import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { AgentView } from '../../src/protocol/agents.ts';
import { program } from '../support/cli.ts';
import { tempHome } from '../support/home.ts';
import { openPerson } from '../support/person.ts';
import { waitUntil } from '../support/wait-until.ts';
import { boxAt } from './fixtures/box.ts';
import { canMount, mountSmallDisk } from './fixtures/small-disk.ts';
import { hasTmux } from './fixtures/station.ts';

/** A daemon and its ledger on a disk that a test can fill; the CLI's own files lie elsewhere. */
async function openAsking(env: Readonly<Record<string, string>>) {
  const home = tempHome();
  const folder = tempHome();
  const wrapper = await mountSmallDisk(home, 12_288);
  const box = boxAt(home);
  const run = (...args: string[]) => box.run([...args, '--json'], { wrapper });
  const sh = (script: string) => box.run([], { wrapper: [...wrapper, 'sh', '-c', script, home] });
  onTestFinished(async () => {
    await sh('rm -f "$0/filler"');
    await run('uninstall', '--yes');
  });
  const fake = resolve('test/fakes/claude-code.mjs');
  writeFileSync(join(folder, 'claude'), `#!/bin/sh\nexec '${process.execPath}' '${fake}' "$@"\n`);
  chmodSync(join(folder, 'claude'), 0o755);
  const config = join(folder, 'config');
  mkdirSync(config);
  const up = await box.run(['up', '--json'], { wrapper, env });
  expect(up.stderr).toBe('');
  const PATH = `${folder}:${process.env['PATH']}`;
  const launch = ['launch', 'claude', '--name', 'lead', '--json'];
  const launched = await box.run(launch, { wrapper, env: { PATH, CLAUDE_CONFIG_DIR: config } });
  expect(launched.stderr).toBe('');
  writeFileSync(join(config, 'ask'), 'make');
  const show = async () => (await run('status', 'lead')).json<AgentView>();
  await waitUntil('its question', async () => (await show()).questions?.length === 1);
  const person = await openPerson(home);
  const answer = async (before?: () => Promise<void>) => {
    const id = (await show()).questions?.[0]?.id ?? '';
    const words = ['answer', 'lead', id, 'allow', '--json'];
    const typed = { program: [...wrapper, process.execPath, program] };
    return person.type(words, [], before ? { ...typed, before } : typed);
  };
  const model = () => {
    const path = join(config, 'model.txt');
    return existsSync(path) ? readFileSync(path, 'utf8') : '';
  };
  return { sh, show, answer, model, fill: () => sh('cat /dev/zero >"$0/filler"') };
}

describe.skipIf(!canMount() || !hasTmux)(
  'rule 54: an answer on a full disk (left out where no tmpfs can be mounted)',
  () => {
    test('that cannot be noted decides nothing, and the question stays', async () => {
      const { sh, show, answer, model, fill } = await openAsking({});
      await fill();
      const refused = await answer();
      expect([refused.code, refused.screen]).toEqual([1, expect.stringContaining('disk is full')]);
      expect(model()).not.toContain('allowed make');
      await sh('rm "$0/filler"');
      expect((await show()).questions).toHaveLength(1);
      expect((await answer()).code).toBe(0);
      expect(model()).toContain('allowed make');
    });

    test('that was carried is written down once there is room', async () => {
      const held = tempHome();
      const env = { SIGNALBOX_FAILPOINTS: 'answer.decided=hold', SIGNALBOX_FAILPOINT_DIR: held };
      const { sh, show, answer, model, fill } = await openAsking(env);
      const cut = await answer(async () => {
        await waitUntil('the decision', async () => (await sh(`ls ${held}`)).stdout !== '');
        await fill();
        await sh(`rm ${held}/*`);
      });
      expect([cut.code, cut.screen]).toEqual([1, expect.stringContaining('Do not answer again')]);
      expect(model()).toContain('allowed make');
      await sh('rm "$0/filler"');
      const isWritten = async () => (await show()).answers?.[0]?.outcome === 'taken';
      await waitUntil('its outcome', isWritten);
    });
  },
);

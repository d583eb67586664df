import { describe, expect, onTestFinished, test } from 'vitest';
import type { AgentView } from '../../src/protocol/agents.ts';
import type { Uninstalled } from '../../src/protocol/printed.ts';
import { tempHome } from '../support/home.ts';
import { sweepList } from '../support/sweep.ts';
import { waitUntil } from '../support/wait-until.ts';
import { boxAt } from './fixtures/box.ts';
import { expectFault } from './fixtures/expect-fault.ts';
import { canMount, mountSmallDisk } from './fixtures/small-disk.ts';
import { hasTmux } from './fixtures/station.ts';

/** A daemon, its tmux server and its ledger on a disk of 12 MiB that a test can fill. */
async function openStation() {
  const home = tempHome();
  const wrapper = await mountSmallDisk(home, 12_288);
  const box = boxAt(home);
  const run = (...args: string[]) => box.run([...args, '--json'], { wrapper });
  const sh = (script: string) => box.run([], { wrapper: [...wrapper, 'sh', '-c', script, home] });
  onTestFinished(async () => {
    await sh('rm -f "$0/filler"');
    await run('uninstall', '--yes');
  });
  const launch = async (name: string) => {
    const args = ['launch', 'generic', '--name', name, '--no-wait', '--json', '--', 'sleep', '600'];
    const ended = await box.run(args, { wrapper });
    expect(ended.stderr).toBe('');
    const { id } = ended.json<AgentView>();
    // From outside of the namespace nobody may look at the environment of a process in it.
    const look = `grep -lz '^SIGNALBOX_AGENT=${id}$' /proc/[0-9]*/environ 2>/dev/null`;
    const isAlive = async () => (await sh(look)).stdout !== '';
    await waitUntil('its process', isAlive);
    return { id, isAlive };
  };
  const show = async (name: string) => (await run('status', name)).json<AgentView>();
  /** Leaves room for so many pages of the ledger, and no more. */
  const fill = async (pages: number) => {
    await sh('cat /dev/zero >"$0/filler"');
    await sh(`truncate -s -${pages * 4}K "$0/filler"`);
  };
  return { box, run, sh, launch, show, fill, free: () => sh('rm -f "$0/filler"') };
}

const nothing = /Nothing was accepted or changed/;
/** In pages: none at all, enough for the first note, enough for nearly all of it. */
const rooms = sweepList([0, 2, 4, 8]);

describe.skipIf(!canMount() || !hasTmux)(
  'O4: lives on a full disk (left out where no tmpfs can be mounted)',
  () => {
    test.each(rooms)('stop with room for %i pages says whether the agent runs', async (room) => {
      const { run, launch, show, fill, free } = await openStation();
      const worker = await launch('worker');
      await fill(room);
      const ended = await run('stop', 'worker');
      if (room === 0) expect(ended.code).toBe(1);
      if (ended.code !== 0) {
        expectFault(ended, 1, 'ledger-unwritable', /disk is full.*Free some space/);
        expect(nothing.test(ended.stderr)).toBe(await worker.isAlive());
      } else expect(await worker.isAlive()).toBe(false);
      const wasEnded = !(await worker.isAlive());
      await free();
      if (!wasEnded) return;
      await waitUntil('the record', async () => (await show('worker')).status === 'exited');
      expect(await show('worker')).toMatchObject({ detail: 'stopped' });
    });

    test.each(rooms)(
      'restart with room for %i pages says what became of the agent',
      async (room) => {
        const { run, launch, fill, free } = await openStation();
        const worker = await launch('worker');
        await fill(room);
        const ended = await run('restart', 'worker');
        if (room === 0) expect(ended.code).toBe(1);
        if (ended.code !== 0) expect(nothing.test(ended.stderr)).toBe(await worker.isAlive());
        await free();
        expect((await run('restart', 'worker')).code).toBe(0);
        expect(await worker.isAlive()).toBe(true);
      },
    );

    test.each(rooms)('rm with room for %i pages says what became of the agent', async (room) => {
      const { run, launch, fill, free } = await openStation();
      const worker = await launch('worker');
      await fill(room);
      const ended = await run('rm', 'worker');
      if (room === 0) expect(ended.code).toBe(1);
      if (ended.code !== 0) expect(nothing.test(ended.stderr)).toBe(await worker.isAlive());
      else expect(await worker.isAlive()).toBe(false);
      await free();
      const again = await run('rm', 'worker');
      expect(again.code).toBe(ended.code === 0 ? 3 : 0);
    });

    test('uninstall ends everything all the same, and says what is not recorded', async () => {
      const { run, launch, show, fill, free } = await openStation();
      const worker = await launch('worker');
      await fill(0);
      const { homes } = (await run('uninstall', '--yes')).json<Uninstalled>();
      expect(await worker.isAlive()).toBe(false);
      expect(homes).toMatchObject([{ tmux: 'stopped' }]);
      expect(homes[0]).not.toHaveProperty('error');
      // The end of the daemon may have freed a page or two.
      const [told = 'recorded'] = homes[0]?.notes ?? [];
      await free();
      const { status } = await show('worker');
      expect(told).toMatch(status === 'exited' ? /./ : /not in the ledger.*disk is full/);
    });
  },
);

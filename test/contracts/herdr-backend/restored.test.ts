import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { HerdrWorld } from '../../support/herdr.ts';
import { waitUntil } from '../../support/wait-until.ts';
import {
  chaos,
  clockAt,
  isRunning,
  killServer,
  openNext,
  panes,
  reader,
  shell,
  untilReady,
  untilSaved,
  withSavingHerdr,
  workspaces,
} from './trouble.ts';

/** Two agents, one of them with a helper: three panes. */
async function launchTwo(world: HerdrWorld) {
  const readyPath = join(world.folder, 'helper.ready');
  const argv = shell(`echo $$ > '${readyPath}'; exec sleep 3600`);
  const helpers = [{ name: 'server', argv, readyPath }];
  const first = await world.launchUntil('ready', reader, { helpers });
  const second = await world.launchUntil('ready', reader);
  return [first, second] as const;
}

async function crash(world: HerdrWorld): Promise<void> {
  await untilSaved(world);
  const before = world.heard.states.length;
  await killServer(world);
  await waitUntil('the loss', () => world.heard.states.length > before);
  await untilReady(world.backend);
}

/** By now everything has been looked at that would be closed. */
async function untilSettled(world: HerdrWorld, backend = world.backend): Promise<void> {
  await waitUntil('all are gone', async () => {
    return (await backend.list().catch(() => undefined))?.length === 0;
  });
  for (let i = 0; i < 5; i++) await backend.list();
}

async function ids(world: HerdrWorld): Promise<readonly unknown[]> {
  return (await panes(world)).map(({ pane_id }) => pane_id);
}

withSavingHerdr(
  'what herdr restores after a crash, in our own session',
  ({ check, onlyFake }, version) => {
    if (version === '0.6.8') {
      check('where numbers change hands, nothing is closed by its number', async (world) => {
        await launchTwo(world);
        const before = await ids(world);
        await crash(world);
        await untilSettled(world);
        expect(await ids(world)).toEqual(before);
      });
      return;
    }

    check(
      'places of agents and helpers are closed, and with them their workspaces',
      async (world) => {
        const two = await launchTwo(world);
        await crash(world);
        await waitUntil('no pane of ours', async () => {
          await world.backend.list();
          return (await panes(world)).length === 0;
        });
        expect(await workspaces(world)).toEqual([]);
        expect(two.filter(isRunning)).toEqual([]);
        const again = await world.launchUntil('ready', reader);
        expect(await world.backend.list()).toMatchObject([{ terminal: again, isAlive: true }]);
      },
    );

    check('also when the daemon was away meanwhile', { tags: ['full'] }, async (world) => {
      await launchTwo(world);
      await untilSaved(world);
      await world.backend.close();
      await killServer(world);
      const next = await openNext(world);
      await waitUntil('no pane of ours', async () => {
        await next.list();
        return (await panes(world)).length === 0;
      });
    });

    check(
      'a shell that has been there for a minute may be somebody’s',
      { tags: ['full'] },
      async (world) => {
        await launchTwo(world);
        const before = await ids(world);
        await untilSaved(world);
        await world.backend.close();
        await killServer(world);
        const next = await openNext(world, undefined, clockAt(120_000));
        await untilSettled(world, next);
        expect(await ids(world)).toEqual(before);
      },
    );

    check(
      'whatever stands among our notes, nothing of it closes a pane or breaks a look',
      async (world) => {
        const { root_pane } = await world.ask('workspace.create', { cwd: world.folder });
        const { pane_id: pane } = root_pane as { pane_id: string };
        const folder = join(world.folder, 'state', 'herdr', 'ldg_test', 'former');
        const notes = [
          { pane, label: '' },
          { pane, label: '..' },
          { pane },
          { label: 'agt_1#1' },
          [],
        ];
        for (const [i, note] of notes.entries()) {
          writeFileSync(join(folder, `n${i}`), JSON.stringify(note));
        }
        writeFileSync(join(folder, 'cut'), '{"pane":');
        mkdirSync(join(folder, 'folder'));
        symlinkSync('/nowhere', join(folder, 'link'));
        symlinkSync('/nowhere', join(folder, '..', 'rooms', 'link'));
        const next = await openNext(world);
        for (let i = 0; i < 3; i++) await next.list();
        expect(await ids(world)).toEqual([pane]);
      },
    );

    onlyFake(
      'one that herdr cannot tell about keeps no other open',
      { tags: ['full'] },
      async (world) => {
        await launchTwo(world);
        await untilSaved(world);
        await world.backend.close();
        await killServer(world);
        const next = await openNext(world);
        const text = JSON.stringify({ id: 'x', error: { code: 'pane_not_found', message: 'no' } });
        await chaos(world, { do: 'garbage', method: 'pane.process_info', text, times: 1 });
        await waitUntil('no pane of ours', async () => {
          await next.list();
          return (await panes(world)).length === 0;
        });
      },
    );

    onlyFake(
      'a place that cannot be noted costs its shell, and no agent its end',
      { tags: ['full'] },
      async (world) => {
        await launchTwo(world);
        const folder = join(world.folder, 'state', 'herdr', 'ldg_test', 'former');
        rmSync(folder, { recursive: true });
        await crash(world);
        await untilSettled(world);
        expect(await panes(world)).toHaveLength(3);
      },
    );

    check(
      'nothing of a person is closed: not beside an agent, not elsewhere',
      { tags: ['full'] },
      async (world) => {
        const [first] = await launchTwo(world);
        const beside = { target_pane_id: await world.paneOf(first), direction: 'down' };
        const { pane: split } = await world.ask('pane.split', beside);
        const { root_pane } = await world.ask('workspace.create', { cwd: world.folder });
        const theirs = [split, root_pane].map((pane) => (pane as { pane_id: string }).pane_id);
        await crash(world);
        await waitUntil('only theirs', async () => {
          await world.backend.list();
          return (await panes(world)).length === 2;
        });
        await untilSettled(world);
        expect([...(await ids(world))].sort()).toEqual([...theirs].sort());
      },
    );

    check('a pane that a person has renamed is theirs', { tags: ['full'] }, async (world) => {
      const [first] = await launchTwo(world);
      const pane_id = await world.paneOf(first);
      await world.ask('pane.rename', { pane_id, label: 'mine now' });
      await crash(world);
      await waitUntil('the others', async () => {
        await world.backend.list();
        return (await panes(world)).length === 1;
      });
      await untilSettled(world);
      expect(await panes(world)).toMatchObject([{ pane_id, label: 'mine now' }]);
    });

    check('a restored shell in which something runs is left alone', async (world) => {
      const [first, second] = await launchTwo(world);
      const used = [await world.paneOf(first), await world.paneOf(second)];
      // Started by the shell itself, as soon as there is one: nobody is faster.
      const busy = join(world.folder, 'busy-shell');
      writeFileSync(busy, '#!/bin/sh\nsleep 3600\n', { mode: 0o755 });
      await untilSaved(world);
      await world.backend.close();
      await killServer(world);
      world.env['SHELL'] = busy;
      const next = await openNext(world);
      await untilSettled(world, next);
      expect(await ids(world)).toEqual(expect.arrayContaining(used));
    });

    check(
      'by tokens, where a server has kept them: of this ledger, and of a life that is over',
      async (world) => {
        const living = await world.launchUntil('ready', reader);
        const mark = async (
          ledger: string,
          agent: string,
          label = `${agent}#1`,
        ): Promise<string> => {
          const { root_pane } = await world.ask('workspace.create', { cwd: world.folder });
          const { pane_id } = root_pane as { pane_id: string };
          await world.ask('pane.rename', { pane_id, label });
          const tokens = {
            signalbox_ledger: ledger,
            signalbox_agent: agent,
            signalbox_epoch: '1',
          };
          await world.ask('pane.report_metadata', { pane_id, source: 'signalbox', tokens });
          return pane_id;
        };
        const ours = await mark('ldg_test', 'agt_over');
        const others = [
          await mark('ldg_other', 'agt_over'),
          await mark('ldg_test', living.agent),
          await mark('ldg_test', 'agt_renamed', 'mine now'),
        ];
        await waitUntil('ours is closed', async () => {
          await world.backend.list();
          return !(await ids(world)).includes(ours);
        });
        for (let i = 0; i < 5; i++) await world.backend.list();
        const kept = [...others, await world.paneOf(living)];
        expect(await ids(world)).toEqual(expect.arrayContaining(kept));
        expect(await ids(world)).toHaveLength(4);
      },
    );

    check(
      'another ledger’s places in the same session are not ours',
      { tags: ['full'] },
      async (world) => {
        const other = await openNext(world, 'ldg_other');
        const theirs = await other.launch(world.wanted(reader));
        await launchTwo(world);
        await untilSaved(world);
        await other.close();
        const pane_id = await world.paneOf(theirs);
        await crash(world);
        await waitUntil('only theirs', async () => {
          await world.backend.list();
          return (await panes(world)).length === 1;
        });
        await untilSettled(world);
        expect(await panes(world)).toMatchObject([{ pane_id }]);
      },
    );
  },
  'signalbox',
);

withSavingHerdr(
  'what herdr restores after a crash, in a person’s session',
  ({ check }) => {
    check('no pane is closed', async (world) => {
      await launchTwo(world);
      const before = await ids(world);
      await crash(world);
      await untilSettled(world);
      expect(await ids(world)).toEqual(before);
    });
  },
  'default',
);

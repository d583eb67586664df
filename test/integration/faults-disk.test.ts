import { readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { InboxList } from '../../src/protocol/messages.ts';
import type { Ended } from '../support/cli.ts';
import { tempHome } from '../support/home.ts';
import { type Box, boxAt, openBox } from './fixtures/box.ts';
import { expectFault } from './fixtures/expect-fault.ts';
import { compileFaultySystem } from './fixtures/faulty-system.ts';
import { canMount, mountSmallDisk } from './fixtures/small-disk.ts';

describe.skipIf(!canMount())('a full disk (left out where no tmpfs can be mounted)', () => {
  test('O4, D3: sends fail with exit 1 and change nothing; what was accepted stays; with space again all goes on', async () => {
    const home = tempHome();
    const wrapper = await mountSmallDisk(home, 4096);
    const box = boxAt(home);
    const run = (...args: string[]) => box.run([...args, '--json'], { wrapper });
    const sh = (script: string) => box.run([], { wrapper: [...wrapper, 'sh', '-c', script, home] });
    const input = 'x'.repeat(100_000);
    const accepted: string[] = [];
    expect((await sh('head -c 3200000 /dev/zero >"$0/ballast"')).code).toBe(0);
    let last = await run('agents', 'add', 'worker');
    while (last.code === 0 && accepted.length < 20) {
      last = await box.run(['send', 'worker', '--file', '-', '--json'], { wrapper, input });
      if (last.code === 0) accepted.push(last.json<{ id: string }>().id);
    }
    expectFault(
      last,
      1,
      'ledger-unwritable',
      /disk is full.*Nothing was accepted.*Free some space/,
    );
    expect(accepted.length).toBeGreaterThan(2);
    // Not one byte left: nothing works, and everything says so.
    expect((await sh('cat /dev/zero >"$0/filler"')).code).not.toBe(0);
    for (const args of [
      ['send', 'worker', 'y'],
      ['inbox', 'drain', 'worker'],
      ['rm', 'worker'],
    ]) {
      expectFault(await run(...args), 1, 'ledger-unwritable');
    }
    await sh('rm "$0/ballast" "$0/filler"');
    const listed = (await run('inbox', 'list', 'worker')).json<InboxList>();
    expect(listed.messages.map(({ id, state }) => [id, state])).toEqual(
      accepted.map((id) => [id, 'queued']),
    );
    expect((await run('send', 'worker', 'again')).code).toBe(0);
    const drained = (await run('inbox', 'drain', 'worker')).json<InboxList>();
    expect(drained.messages.map(({ id }) => id).slice(0, -1)).toEqual(accepted);
    expect((await run('doctor')).code).toBe(0);
  });

  test('O4: a first start on a full disk leaves no half-made ledger behind', {
    tags: ['full'],
  }, async () => {
    const home = tempHome();
    const wrapper = await mountSmallDisk(home, 64);
    const box = boxAt(home);
    const ended = await box.run(['send', 'user', 'x', '--json'], { wrapper });
    expectFault(ended, 1, 'ledger-unwritable');
    const left = await box.run([], { wrapper: [...wrapper, 'sh', '-c', 'ls -A "$0"', home] });
    expect(left.stdout).toBe('');
  });
});

describe('a file size limit', () => {
  test('O4: fails the send that would pass it with exit 1, and changes nothing', {
    tags: ['full'],
  }, async () => {
    const box = await openBox('worker');
    const kept = await box.send('worker', 'before');
    const input = 'x'.repeat(500_000);
    const send = ['send', 'worker', '--file', '-', '--key', 'k', '--json'];
    // In blocks of 512 bytes: more than the ledger has now, less than it would have.
    const wrapper = ['sh', '-c', 'ulimit -f 500; exec "$@"', 'sh'];
    const small = await box.run(['send', 'worker', 'small', '--json'], { wrapper });
    expect(small.code).toBe(0);
    expectFault(
      await box.run(send, { wrapper, input }),
      1,
      'ledger-unwritable',
      /Nothing was accepted/,
    );
    const { messages } = await box.list('worker');
    expect(messages.map(({ id }) => id)).toEqual([kept, small.json<{ id: string }>().id]);
    expect((await box.run(send, { input })).json()).toMatchObject({ duplicate: false });
    expect(await box.ask('doctor')).toMatchObject({ ok: true });
  });
});

const library = compileFaultySystem();
const system = (faults: Record<string, string>) => ({
  env: { LD_PRELOAD: library ?? '', ...faults },
});

describe.skipIf(!library)(
  'a disk that fails to fsync (left out where there is no C compiler)',
  () => {
    const failing = system({ FAULT_FSYNC: '1' });

    test('O4: no id is printed, exit 1; a repeat with the same key is accepted once, whichever way it went', async () => {
      const box = await openBox('worker');
      await box.send('worker', 'before');
      const send = ['send', 'worker', 'x', '--key', 'k', '--json'];
      const ended = await box.run(send, failing);
      expectFault(ended, 1, 'ledger-unwritable', /refused to confirm.*not accepted.*same --key/);
      expect(ended.stdout).not.toContain('msg_');
      // The same library without the fault changes nothing: it was the fault that did it.
      expect((await box.run(send, system({}))).code).toBe(0);
      const { messages } = await box.list('worker');
      expect(messages.map(({ body }) => body)).toEqual(['before', 'x']);
    });

    test('O4: a drain hands out nothing that it could not claim on disk', async () => {
      const box = await openBox('worker');
      const id = await box.send('worker', 'x');
      const ended = await box.run(['inbox', 'drain', 'worker', '--json'], failing);
      expectFault(ended, 1, 'ledger-unwritable');
      expect((await box.drain('worker')).messages).toMatchObject([{ id }]);
    });

    test('O4: a first start leaves no ledger that was never confirmed', {
      tags: ['full'],
    }, async () => {
      const box = boxAt(tempHome());
      expectFault(await box.run(['send', 'user', 'x', '--json'], failing), 1, 'ledger-unwritable');
      expect(readdirSync(box.home)).toEqual([]);
    });
  },
);

describe.skipIf(!library)(
  'a wall clock that is set (left out where there is no C compiler)',
  () => {
    const at = (seconds: number) => system({ FAULT_CLOCK: String(seconds) });
    const year = 365 * 86_400;
    const bodies = (ended: Ended) =>
      ended.json<InboxList>().messages.map(({ body, repeat }) => [body, repeat]);
    const drain = (box: Box, seconds: number) =>
      box.run(['inbox', 'drain', 'worker', '--json'], at(seconds));

    test('rule 5: back and forward, changes no order', { tags: ['full'] }, async () => {
      const box = await openBox('worker');
      for (const [i, seconds] of [0, -year, year, -60, 60].entries()) {
        expect((await box.run(['send', 'worker', String(i)], at(seconds))).code).toBe(0);
      }
      const got = (await drain(box, -year)).json<InboxList>().messages;
      expect(got.map(({ body }) => body)).toEqual(['0', '1', '2', '3', '4']);
      // The fault is real: they bear the times of their clocks.
      const [first, second] = got.map(({ createdAt }) => Date.parse(createdAt));
      expect(Math.round(((first ?? 0) - (second ?? 0)) / 86_400_000)).toBe(365);
    });

    test.each([year, -year])('rule 5: by %i s takes no claim from its holder', async (seconds) => {
      const box = await openBox('worker');
      await box.send('worker', 'x');
      for (const place of ['drain.claimed', 'drain.injected']) {
        const held = await box.hold(place, ['inbox', 'drain', 'worker', '--json']);
        expect(bodies(await drain(box, seconds))).toEqual([]);
        expect(bodies(await held.release())).toEqual([['x', undefined]]);
        await box.send('worker', 'x');
      }
    });

    test('rule 5: decides over times to live, and over nothing that has none', async () => {
      const box = await openBox('worker');
      await box.send('worker', 'mortal', { ttlMs: 3_600_000 });
      await box.send('worker', 'immortal');
      const early = await box.run(['inbox', 'list', 'worker', '--json'], at(-year));
      expect(bodies(early)).toHaveLength(2);
      expect(bodies(await drain(box, year))).toEqual([['immortal', undefined]]);
      expect(await box.ask('dead-letters', 'list')).toMatchObject({
        messages: [{ body: 'mortal' }],
      });
    });
  },
);

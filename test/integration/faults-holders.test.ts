import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, onTestFinished, test } from 'vitest';
import { claim } from '../../src/delivery/claim.ts';
import { settleDue } from '../../src/delivery/settle-due.ts';
import { messageStates } from '../../src/messages/transitions.ts';
import { type Clock, systemClock } from '../../src/shared/clock.ts';
import { type Host, type ProcessIdentity, systemHost } from '../../src/shared/processes.ts';
import { type Box, openBox, openLedger } from './fixtures/box.ts';

const drain = ['inbox', 'drain', 'worker', '--json'];

/** What this process would settle in the worker's inbox if so much time had passed. */
async function settleAfter(box: Box, ms: number): Promise<number> {
  const clock: Clock = {
    ...systemClock,
    now: () => systemClock.now() + ms,
    monotonicMs: () => systemClock.monotonicMs() + ms,
  };
  const ledger = await openLedger(box.home, clock);
  return ledger.write(async (tx) => {
    const worker = (await tx.agents.listByName('worker'))[0];
    return settleDue(tx, { clock, host: systemHost }, worker?.id ?? '');
  });
}

/** A claim of the head of the worker's inbox in the name of some other process. */
async function claimAs(box: Box, holder: ProcessIdentity): Promise<void> {
  const host: Host = { ...systemHost, identity: holder };
  const ledger = await openLedger(box.home);
  await ledger.write(async (tx) => {
    const recipient = (await tx.agents.listByName('worker'))[0]?.id ?? '';
    const bounds = { count: 1, bytes: 0, epoch: 0 } as const;
    const request = { recipient, route: 'pull', provable: true, ...bounds } as const;
    return claim(tx, { clock: systemClock, host }, request);
  });
}

describe('a holder that is stopped, not dead', () => {
  test('rules 4, 16: after injected no clock runs: an hour later it still holds its messages', async () => {
    const box = await openBox('worker');
    await box.send('worker', 'x');
    const held = await box.hold('drain.injected', drain);
    held.child.kill('SIGSTOP');
    expect(await settleAfter(box, 3_600_000)).toBe(0);
    expect((await box.drain('worker')).messages).toEqual([]);
    held.child.kill('SIGCONT');
    expect((await held.release()).json()).toMatchObject({ messages: [{ body: 'x' }] });
    expect((await box.list('worker', ['acked'])).messages).toHaveLength(1);
  });

  test('rules 3, 16: before it, its lease runs out; woken too late it prints nothing', async () => {
    const box = await openBox('worker');
    const id = await box.send('worker', 'x');
    const held = await box.hold('drain.claimed', drain);
    held.child.kill('SIGSTOP');
    expect(await settleAfter(box, 29_000)).toBe(0);
    expect(await settleAfter(box, 31_000)).toBe(1);
    held.child.kill('SIGCONT');
    const ended = await held.release();
    expect(ended.code).toBe(0);
    expect(ended.json()).toMatchObject({ messages: [], remaining: 1 });
    const { message, history } = await box.explain(id);
    expect(message.state).toBe('uncertain');
    expect(history.at(-1)?.code).toBe('lease-expired');
    expect((await box.drain('worker')).messages).toMatchObject([{ id, repeat: true }]);
  });
});

const hasProc = process.platform === 'linux';
describe.skipIf(!hasProc)(
  'a dead holder whose pid is not free (left out where there is no /proc)',
  () => {
    test('rules 2, 3: a zombie that nobody reaps holds nothing', async () => {
      const box = await openBox('worker');
      await box.send('worker', 'x');
      // The shell becomes a `sleep`, which never asks after its child.
      const orphan = ['sh', '-c', '"$@" & exec sleep 1000', 'sh'];
      const held = await box.hold('drain.injected', drain, { wrapper: orphan });
      const [pid = 0] = listChildren(held.child.pid ?? 0);
      process.kill(pid, 'SIGKILL');
      await waitForState(pid, 'Z');
      expect((await box.drain('worker')).messages).toMatchObject([{ repeat: true }]);
      const { history } = await box.explain(
        (await box.list('worker', messageStates)).messages[0]?.id ?? '',
      );
      expect(history.map(({ code }) => code)).toContain('holder-died');
    });

    test('rules 2, 3: another process under the same pid holds nothing; the same process does', async () => {
      const box = await openBox('worker');
      await box.send('worker', 'x');
      const sleeper = spawn('sleep', ['1000'], { stdio: 'ignore' });
      onTestFinished(() => void sleeper.kill('SIGKILL'));
      const pid = sleeper.pid ?? 0;
      const startedAt = readStat(pid)[19] ?? '';
      await claimAs(box, { ...systemHost.identity, pid, startedAt });
      expect((await box.drain('worker')).messages).toEqual([]);
      sleeper.kill('SIGKILL');
      await waitForState(pid, undefined);
      expect((await box.drain('worker')).messages).toMatchObject([{ body: 'x', repeat: true }]);
      await box.send('worker', 'y');
      // As if our own pid had been somebody else's before.
      await claimAs(box, { ...systemHost.identity, startedAt: '1' });
      expect((await box.drain('worker')).messages).toMatchObject([{ body: 'y', repeat: true }]);
    });

    test('rule 3: nothing of an earlier boot is alive', async () => {
      const box = await openBox('worker');
      await box.send('worker', 'x');
      await claimAs(box, { ...systemHost.identity, boot: 'an earlier one' });
      expect((await box.drain('worker')).messages).toMatchObject([{ body: 'x', repeat: true }]);
    });

    test('rule 2: a holder in another pid namespace is judged by its lease alone', async () => {
      const box = await openBox('worker');
      await box.send('worker', 'x');
      await claimAs(box, { ...systemHost.identity, pidSpace: 'pid:[1]', pid: 1, startedAt: '1' });
      expect((await box.drain('worker')).messages).toEqual([]);
      expect(await settleAfter(box, 31_000)).toBe(1);
      expect((await box.drain('worker')).messages).toMatchObject([{ body: 'x', repeat: true }]);
    });
  },
);

function listChildren(pid: number): readonly number[] {
  const text = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8');
  return text.split(' ').filter(Boolean).map(Number);
}

/** The fields after the command's name; the first is the state. */
function readStat(pid: number): readonly string[] {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

async function waitForState(pid: number, wanted: string | undefined): Promise<void> {
  for (;;) {
    let state: string | undefined;
    try {
      state = readStat(pid)[0];
    } catch {
      // Gone.
    }
    if (state === wanted) return;
    await systemClock.sleep(5);
  }
}

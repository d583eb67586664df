import { describe, expect, test } from 'vitest';
import type { CancelView, MessageView } from '../../src/protocol/messages.ts';
import { tempHome } from '../support/home.ts';
import { type Box, boxAt } from './fixtures/box.ts';
import { hasTmux, openStation } from './fixtures/station.ts';

/** `signalbox cancel` on the command line, with and without a daemon. */
async function bare(): Promise<Box> {
  const box = boxAt(tempHome());
  expect((await box.run(['agents', 'add', 'lead'])).code).toBe(0);
  expect((await box.run(['agents', 'add', 'worker', '--parent', 'lead'])).code).toBe(0);
  return box;
}

async function send(box: Box, ...words: readonly string[]): Promise<string> {
  const sent = await box.run(['send', ...words, '--json']);
  return sent.json<{ short: string }>().short;
}

describe('cancel', () => {
  test('rule 34: a message that waits is taken back by its short id, once and again', async () => {
    const box = await bare();
    const short = await send(box, 'lead', 'a mistake');
    const first = await box.run(['cancel', short]);
    expect([first.code, first.stdout]).toEqual([
      0,
      `${short} was taken back; nobody has read it\n`,
    ]);
    const again = await box.run(['cancel', short, '--json']);
    expect(again.json<CancelView>()).toMatchObject({
      outcome: 'already',
      message: { state: 'dead', reason: 'withdrawn' },
    });
    // Neither the recipient nor the sender has anything of it.
    const drained = await box.run(['inbox', 'drain', 'lead', '--json']);
    expect(drained.json<{ messages: unknown[]; deadLetters: number }>()).toMatchObject({
      messages: [],
      deadLetters: 0,
    });
    const own = await box.run(['inbox', 'list', 'user', '--json']);
    expect(own.json<{ messages: MessageView[] }>().messages).toEqual([]);
    const told = await box.run(['explain', short]);
    expect(told.stdout).toContain('taken back by the user');
    expect(told.stdout).toContain('so nobody reads it');
    // It needs nobody's attention.
    expect((await box.run(['dead-letters', 'list'])).stdout).not.toContain(short);
  });

  test('rule 34: what was read is refused with exit 1 and its state', async () => {
    const box = await bare();
    const short = await send(box, 'lead', 'read');
    await box.run(['inbox', 'drain', 'lead']);
    const ended = await box.run(['cancel', short, '--json']);
    expect(ended.code).toBe(1);
    expect(ended.json<{ error: object }>().error).toMatchObject({
      code: 'too-late',
      message: `${short} cannot be taken back: it is acked, it was read.`,
    });
  });

  test('an agent takes back its own words and no others', async () => {
    const box = await bare();
    const mine = await send(box, 'worker', 'from the user');
    const as = { SIGNALBOX_AGENT: 'lead' };
    const sent = await box.run(['send', 'worker', 'from lead', '--json'], { env: as });
    const { short } = sent.json<{ short: string }>();
    expect((await box.run(['cancel', mine], { env: as })).code).toBe(5);
    expect((await box.run(['cancel', short], { env: { SIGNALBOX_AGENT: 'worker' } })).code).toBe(5);
    expect((await box.run(['cancel', short], { env: as })).code).toBe(0);
    expect((await box.run(['cancel', mine])).code).toBe(0);
    expect((await box.run(['cancel', 'worker:99'])).code).toBe(3);
  });

  test('rules 1, 2: a claim that begins while it is looked at has the message', async () => {
    const box = await bare();
    const short = await send(box, 'lead', 'whose');
    const cancelling = await box.hold('cancel.found', ['cancel', short, '--json']);
    expect((await box.run(['inbox', 'drain', 'lead'])).stdout).toContain('whose');
    const ended = await cancelling.release();
    expect(ended.code).toBe(1);
    expect((await box.explain(short)).message.state).toBe('acked');
  });

  test('rules 1, 2: what somebody is just taking is refused, and they get it', async () => {
    const box = await bare();
    const short = await send(box, 'lead', 'whose');
    const draining = await box.hold('drain.claimed', ['inbox', 'drain', 'lead']);
    const ended = await box.run(['cancel', short]);
    expect([ended.code, ended.stderr]).toEqual([1, expect.stringContaining('it is claimed')]);
    expect((await draining.release()).stdout).toContain('whose');
  });

  test('rules 2, 30: a claim that ends while it is asked for decides: what was read is not taken back', async () => {
    const box = await bare();
    const short = await send(box, 'lead', 'whose');
    const draining = await box.hold('drain.claimed', ['inbox', 'drain', 'lead']);
    const cancelling = await box.hold('cancel.asked', ['cancel', short, '--json']);
    expect((await draining.release()).stdout).toContain('whose');
    const ended = await cancelling.release();
    expect(ended.json<{ error: object }>().error).toMatchObject({ code: 'too-late' });
    expect((await box.explain(short)).message.state).toBe('acked');
  });

  test('killed before it has written, nothing has changed', async () => {
    const box = await bare();
    const short = await send(box, 'lead', 'stays');
    const killed = await box.run(['cancel', short], {
      env: { SIGNALBOX_FAILPOINTS: 'cancel.found=kill' },
    });
    expect(killed.code).not.toBe(0);
    expect((await box.run(['inbox', 'drain', 'lead'])).stdout).toContain('stays');
  });
});

describe.skipIf(!hasTmux)('cancel of a task', () => {
  test('rules 31, 34: whoever waits in `handoff` is told, and a worker that has it is sent one message', async () => {
    const station = await openStation({ hasTools: true });
    await station.launch('worker');
    const waiting = station.run(['handoff', 'worker', '@@hang', '--key', 'once', '--json']);
    await station.untilStatus('worker', 'processing');
    const { messages } = await station.list('worker', ['injected', 'seen', 'acked']);
    const [task] = messages;
    expect(task?.kind).toBe('task');
    const ended = await station.run(['cancel', task?.short ?? '']);
    expect([ended.code, ended.stdout]).toEqual([
      0,
      `task ${task?.short} is owed no answer any more; worker has it, and is told so\n`,
    ]);
    const answer = await waiting;
    expect(answer.code).toBe(1);
    expect(answer.json<object>()).toMatchObject({
      outcome: 'withdrawn',
      error: { code: 'task-failed' },
    });
    const told = await station.list('worker', ['queued', 'injected', 'seen', 'acked']);
    const notices = told.messages.filter(({ kind }) => kind === 'notice');
    expect(notices).toMatchObject([{ from: { id: 'agt_signalbox' }, replyTo: [task?.id] }]);
    const again = await station.run(['cancel', task?.short ?? '', '--json']);
    expect(again.json<CancelView>().outcome).toBe('already');
  });

  test('rule 55: a worker that was launched for it ends when nothing is left to do', async () => {
    const station = await openStation({ hasTools: true });
    const waiting = station.run([
      'handoff',
      'scripted',
      '@@work 8s @@say done',
      '--name',
      'w1',
      '--json',
    ]);
    await station.untilStatus('w1', 'processing');
    const { messages } = await station.list('w1', ['injected', 'seen', 'acked']);
    const ended = await station.run(['cancel', messages[0]?.short ?? '']);
    expect(ended.code).toBe(0);
    expect((await waiting).code).toBe(1);
    await station.untilStatus('w1', 'exited');
    const { endedBy } = (await station.agent('w1')) as { endedBy?: string };
    expect(endedBy ?? 'task').toBe('task');
  });
});

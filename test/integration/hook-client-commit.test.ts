import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import type { Agent } from '../../src/agents/agent.ts';
import { hashToken } from '../../src/agents/token.ts';
import { commitHook } from '../../src/client/hook/commit.ts';
import { caughtErrorsPath, findFolders } from '../../src/config/folders.ts';
import { accept } from '../../src/delivery/accept.ts';
import { claim, recordInjected } from '../../src/delivery/claim.ts';
import { add } from '../../src/fleet/add.ts';
import type { Message } from '../../src/messages/message.ts';
import { readBugNotes } from '../../src/shared/bug-notes.ts';
import { systemClock } from '../../src/shared/clock.ts';
import type { Ledger } from '../../src/store/ledger.ts';
import { openSqliteLedger } from '../../src/store/sqlite/open.ts';
import { FakeHosts } from '../fakes/host.ts';
import { waitUntil } from '../support/wait-until.ts';
import { HookStage, pathWithoutCurl } from './fixtures/hook-stage.ts';

const silence = { code: 0, stdout: '', stderr: '' };
const payload = (turn: string) =>
  JSON.stringify({
    session_id: 'aea7',
    prompt_id: turn,
    stop_hook_active: false,
    last_assistant_message: `done with ${turn}`,
  });

test('rule 26: the end of a turn that no daemon hears is in the ledger all the same', async () => {
  const { stage, completions } = await openFamily();
  await stage.close();
  expect(await stage.run('Stop', { payload: payload('p1') })).toMatchObject(silence);
  const [first] = await waitUntil('its completion', async () => nonEmpty(await completions()));
  expect(first).toMatchObject({ kind: 'completion', outcome: 'completed', body: 'done with p1' });
  const failed = payload('p2').replace('done with', 'API Error:');
  expect(await stage.run('StopFailure', { payload: failed })).toMatchObject(silence);
  await waitUntil('the next', async () =>
    (await completions()).some((m) => m.outcome === 'failed'),
  );
});

test('rule 26: nor when a socket was left behind, the daemon dies of it, or there is no curl', async () => {
  const { stage, completions } = await openFamily();
  await stage.close();
  const dying = createServer((socket) => {
    socket.on('error', () => undefined).once('data', () => socket.destroy());
  });
  await new Promise<void>((done) => dying.listen(stage.socket, done));
  chmodSync(stage.socket, 0o600);
  expect(await stage.run('Stop', { payload: payload('p1') })).toMatchObject(silence);
  await told(completions, 'done with p1');
  await new Promise((done) => dying.close(done));
  const env = { PATH: pathWithoutCurl(stage.home) };
  expect(await stage.run('Stop', { payload: payload('p2'), env })).toMatchObject(silence);
  await told(completions, 'done with p2');
});

for (const answer of [
  '{"outcome":"late","reason":"slow"}',
  '{"outcome":"ignored","reason":"failed"}',
]) {
  test(`rule 26: nor when the daemon says ${answer}: it may die before it is written down`, async () => {
    const { stage, completions } = await openFamily();
    await stage.close();
    const slow = createHttpServer((request, response) => {
      request.resume().on('end', () => response.end(answer));
    });
    await new Promise<void>((done) => slow.listen(stage.socket, done));
    chmodSync(stage.socket, 0o600);
    for (const [turn, env] of [
      ['p1', {}],
      ['p2', { PATH: pathWithoutCurl(stage.home) }],
    ] as const) {
      expect(await stage.run('Stop', { payload: payload(turn), env })).toMatchObject(silence);
      await told(completions, `done with ${turn}`);
    }
    await new Promise((done) => slow.close(done));
  });
}

test('rule 26: nor when its payload is longer than the daemon takes; its words are cut, and say so', async () => {
  const { stage, completions } = await openFamily();
  for (const [turn, env] of [
    ['p1', {}],
    ['p2', { PATH: pathWithoutCurl(stage.home) }],
  ] as const) {
    const long = payload(turn).replace('done with', `${'x'.repeat(2 * 1024 * 1024)} done with`);
    expect(await stage.run('Stop', { payload: long, env })).toMatchObject(silence);
    const [completion] = await waitUntil(`the end of ${turn}`, async () =>
      nonEmpty((await completions()).filter((one) => one.turn?.includes(turn))),
    );
    expect(completion).toMatchObject({ outcome: 'completed', truncated: true });
  }
  // The daemon has said that it did not take them; on a busy machine a hook may not wait for that.
  const refusals = stage.server.logged.filter((line) => line.includes('too-large'));
  expect([1, 2]).toContain(refusals.length);
});

test('rule 38: of a stranger, of a life that is over, or of a sub-agent, nothing is written', async () => {
  const { stage, ledger, child, completions } = await openFamily();
  await stage.close();
  const subAgent = payload('p1').replace('{', '{"agent_id":"a1",');
  await stage.run('Stop', { payload: payload('p0'), env: { SIGNALBOX_TOKEN: 'stranger' } });
  await stage.run('Stop', { payload: subAgent });
  await stage.run('Stop', { payload: '{"half' });
  await ledger.write((tx) =>
    tx.epochs.end(child.id, 1, { at: systemClock.now(), cause: 'exited' }),
  );
  await stage.run('Stop', { payload: payload('p2') });
  // One that counts, after all of them.
  await begin(ledger, child, 2, 'next');
  await stage.run('Stop', { payload: payload('p3'), env: { SIGNALBOX_TOKEN: 'next' } });
  await told(completions, 'done with p3');
  expect(await completions()).toHaveLength(1);
});

test('rule 27: of a turn that something joined each part has its own words, also when no daemon hears its end', async () => {
  const { stage, ledger, child, completions } = await openFamily('qwen');
  await stage.close();
  const chats = join(stage.home, '.qwen/projects/-srv-app/chats');
  mkdirSync(chats, { recursive: true });
  const recording = 'src/providers/qwen/recordings/joined-by-task.jsonl';
  const lines = readFileSync(recording, 'utf8').split('\n').slice(1, 9);
  writeFileSync(join(chats, 'aea7.jsonl'), `${lines.join('\n')}\n`);
  await ledger.write((tx) =>
    tx.debts.insert({ task: 'msg_1', debtor: child.id, creditor: child.parent ?? '', givenAt: 1 }),
  );
  const body = { ...JSON.parse(payload('p1')), last_assistant_message: lastWords };
  const told = { ledgerPath: stage.ledgerPath, token: 'right', event: 'Stop' };
  const env = { HOME: stage.home, SIGNALBOX_HOME: stage.home };
  for (const report of ['1794906681-7', '1794906681-7'])
    await commitHook({ ...told, env, payload: JSON.stringify(body), report });
  const all = await ledger.read((tx) =>
    tx.messages.list({ to: child.parent ?? '', states: ['queued', 'superseded'], limit: 10 }),
  );
  const bodies = all.toSorted((a, b) => a.seq - b.seq).map((one) => one.body);
  expect(bodies).toEqual(['The answer is letterb5cef7349e.', lastWords]);
  expect(await completions()).toHaveLength(1);
});

const lastWords = 'The answer is lettercabcf5023b.';

for (const isCancelled of [true, false]) {
  const what = isCancelled ? 'was dropped with an interrupted turn is not' : 'is on record is';
  test(`rules 9, 26: a task that ${what} answered by a turn whose end no daemon hears`, async () => {
    const { stage, ledger, child } = await openFamily('gemini');
    await stage.close();
    const { parent: from = '', id: to } = child;
    const draft = { kind: 'task', from, to, body: 'work' } as const;
    const [accepted] = await accept(ledger, systemClock, [draft]);
    if (accepted?.outcome !== 'accepted') throw new Error('not accepted');
    const mark = await enter(ledger, to);
    const session = 'a1b2c3d4-1111-4222-8333-444455556666';
    const transcript = join(stage.home, '.gemini/tmp/app/chats/session-2026-11-a1b2c3d4.jsonl');
    mkdirSync(dirname(transcript), { recursive: true });
    const said = (id: string, text: string) => ({ id, type: 'user', content: [{ text }] });
    const cancelled = [
      { id: 'i1', type: 'info', content: 'Request cancelled.' },
      { $set: { messages: [] } },
    ];
    const records = [
      { sessionId: session, startTime: '2026-11-15T12:46:39.145Z', kind: 'main' },
      said('u1', `<signalbox ${mark}>`),
      ...(isCancelled ? cancelled : []),
      said('u2', 'What time is it?'),
      { id: 'g2', type: 'gemini', content: 'Noon.', model: 'gemini-3' },
    ];
    writeFileSync(transcript, records.map((record) => `${JSON.stringify(record)}\n`).join(''));
    const body = { session_id: session, timestamp: 't2', prompt_response: 'Noon.' };
    await commitHook({
      ...{ ledgerPath: stage.ledgerPath, token: 'right', event: 'AfterAgent' },
      env: { HOME: stage.home, SIGNALBOX_HOME: stage.home },
      payload: JSON.stringify({ ...body, transcript_path: transcript }),
    });
    const debt = await ledger.read((tx) => tx.debts.find(accepted.message.id));
    expect(debt?.end).toBe(isCancelled ? undefined : 'answered');
  });
}

/** What waits for it is in its conversation; the mark of that. */
async function enter(ledger: Ledger, recipient: string): Promise<string> {
  const here = { clock: systemClock, host: new FakeHosts().start() };
  return await ledger.write(async (tx) => {
    const wish = { recipient, epoch: 1, route: 'paste', provable: true } as const;
    const claimed = await claim(tx, here, { ...wish, count: 1, bytes: 1000 });
    if (claimed.outcome !== 'claimed') throw new Error(claimed.outcome);
    await recordInjected(tx, systemClock.now(), claimed.claim.token, 'in');
    return claimed.claim.mark;
  });
}

test('a mistake of ours in a hook that no daemon hears is noted for doctor', async () => {
  const { stage } = await openFamily();
  await stage.close();
  const env = { SIGNALBOX_HOME: stage.home };
  const broken = { ledgerPath: stage.ledgerPath, env, event: 'Stop', payload: payload('p1') };
  // As a bug would: a token that is no text.
  const committed = commitHook({ ...broken, token: undefined as unknown as string });
  await expect(committed).rejects.toThrow(TypeError);
  expect(readBugNotes(caughtErrorsPath(findFolders(env)), systemClock.now())).toMatchObject({
    times: 1,
    first: { place: 'keeping what a hook told while no daemon ran' },
  });
});

async function openFamily(provider = 'claude-code') {
  const stage = await HookStage.open();
  const ledger = await openSqliteLedger(stage.ledgerPath, { clock: systemClock, lockWaitMs: 5000 });
  const wanted = { session: 'default', notify: true, cwd: '/srv/app' };
  const parent = await add(ledger, systemClock, { ...wanted, name: 'lead' });
  const child = await add(ledger, systemClock, { ...wanted, name: 'worker', parent: parent.id });
  await begin(ledger, child, 1, 'right', provider);
  const completions = () =>
    ledger.read(async (tx) => {
      const bound = { count: 10, bytes: 100_000, now: systemClock.now(), withUncertain: false };
      return tx.messages.listWaiting(parent.id, bound);
    });
  return { stage, ledger, child, completions };
}

function begin(
  ledger: Ledger,
  child: Agent,
  epoch: number,
  token: string,
  provider = 'claude-code',
): Promise<void> {
  return ledger.write(async (tx) => {
    await tx.agents.setEpoch(child.id, epoch);
    await tx.epochs.insert({
      agent: child.id,
      epoch,
      backend: 'tmux',
      provider,
      argv: [],
      extraArgs: [],
      tokenHash: hashToken(token),
      startedAt: systemClock.now(),
    });
  });
}

async function told(completions: () => Promise<readonly Message[]>, body: string): Promise<void> {
  await waitUntil(body, async () => (await completions()).some((one) => one.body === body));
}

function nonEmpty<T>(list: readonly T[]): readonly T[] | undefined {
  return list.length > 0 ? list : undefined;
}

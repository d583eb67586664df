import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { messageStates } from '../../src/messages/transitions.ts';
import type { SendResult } from '../../src/protocol/messages.ts';
import { type Box, openBox, overdue } from './fixtures/box.ts';
import { expectFault } from './fixtures/expect-fault.ts';

const invalidUtf8 = Buffer.from([0x61, 0xff, 0xfe, 0x62]);
/** Arguments of a child process are text to Node; a shell can pass any byte. */
const badByte = `$(printf '\\377')`;

async function bodies(box: Box, agent: string): Promise<readonly string[]> {
  return (await box.list(agent)).messages.map(({ body }) => body);
}

test('send prints the document of the command line promise, and the message is in the inbox', async () => {
  const box = await openBox('worker');
  const sent = await box.ask<SendResult>('send', 'worker', 'two', 'words');
  expect(sent).toEqual({
    id: expect.stringMatching(/^msg_[0-9a-hjkmnp-tv-z]{26}$/),
    short: 'worker:1',
    to: { id: expect.stringMatching(/^agt_/), name: 'worker', session: 'default' },
    standing: 'notice',
    state: 'queued',
    duplicate: false,
  });
  const { messages } = await box.list('worker');
  expect(messages).toEqual([
    {
      ...{ id: sent.id, number: 1, short: 'worker:1', standing: 'notice' },
      kind: 'message',
      from: { id: 'agt_user', name: 'user', session: 'default' },
      to: sent.to,
      state: 'queued',
      body: 'two words',
      truncated: false,
      urgent: false,
      createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
      attempts: 0,
    },
  ]);
});

test('send says in words what was accepted for whom', async () => {
  const box = await openBox('worker');
  const first = await box.run(['send', 'worker', 'x', '--key', 'k']);
  expect(first.stdout).toMatch(/^worker:\d+ accepted \(queued\)\n$/);
  const again = await box.run(['send', 'worker', 'x', '--key', 'k']);
  expect(again.stdout).toMatch(/^worker:\d+ already accepted \(queued\)\n$/);
});

describe('the body', () => {
  test('comes from words, a file or standard input, exactly', async () => {
    const box = await openBox('worker');
    const odd =
      '\ufeffline\r\n\ttab \u0000 nul \u001b[31m 漢字 🚀\ud83c\udff4 \u{10ffff}\n\n'.replace(
        '\ud83c\udff4',
        '🏴',
      );
    const file = join(box.home, 'body.txt');
    writeFileSync(file, odd);
    await box.ask('send', 'worker', '--file', file);
    await box.run(['send', 'worker', '--file', '-'], { input: odd });
    await box.run(['send', 'worker', '--', '--urgent', '-x', '--json']);
    expect(await bodies(box, 'worker')).toEqual([odd, odd, '--urgent -x --json']);
  });

  test('is refused when it is empty, missing or given twice: exit 2, and no ledger is made', {
    tags: ['full'],
  }, async () => {
    const box = await openBox();
    const file = join(box.home, 'body.txt');
    writeFileSync(file, '');
    const send = (...args: string[]) => box.run(['send', 'user', ...args, '--json']);
    expectFault(await send(), 2, 'usage', /no text to send/);
    expectFault(await send('a', '--file', file), 2, 'usage', /You gave both a text and --file/);
    const missing = /cannot read \S*nowhere\.txt: ENOENT/;
    const nowhere = join(box.home, 'nowhere.txt');
    expectFault(await send('--file', nowhere), 2, 'invalid-input', missing);
    expectFault(await send('--file', box.home), 2, 'invalid-input', /it is a folder/);
    await expect(box.ask('doctor')).resolves.toMatchObject({ ledger: { exists: false } });
    expectFault(await send(''), 2, 'invalid-input', /empty/);
    expectFault(await send('--file', file), 2, 'invalid-input', /empty/);
    writeFileSync(file, ' \n\n');
    expectFault(await send('--file', file), 2, 'invalid-input', /empty/);
    expectFault(await box.run(['send', 'user', '--file', '-', '--json']), 2, 'invalid-input');
    expect(await bodies(box, 'user')).toEqual([]);
  });

  test('is refused when it is not valid UTF-8, in a file, on standard input and in an argument', async () => {
    const box = await openBox('worker');
    const file = join(box.home, 'body.txt');
    writeFileSync(file, invalidUtf8);
    const shell = (text: string) =>
      box.run([], { wrapper: ['sh', '-c', `exec "$0" "$1" send worker ${text} --json`] });
    const ended = await Promise.all([
      box.run(['send', 'worker', '--file', file, '--json']),
      box.run(['send', 'worker', '--file', '-', '--json'], { input: invalidUtf8 }),
      shell(`"a${badByte}b"`),
      // Two keys that differ only in an invalid byte must not become one.
      shell(`fine --key "k${badByte}"`),
    ]);
    for (const one of ended) expectFault(one, 2, 'invalid-input', /not valid UTF-8/);
    // The character that Node puts in the place of an invalid byte is itself valid.
    await box.ask('send', 'worker', 'the real \ufffd');
    expect(await bodies(box, 'worker')).toEqual(['the real \ufffd']);
  });

  test('of 5 MB is refused with exit 5, and accepted whole where the limit allows it', {
    tags: ['full'],
  }, async () => {
    const box = await openBox('worker');
    const input = '0123456789'.repeat(500_000);
    const args = ['send', 'worker', '--file', '-', '--json'];
    expectFault(await box.run(args, { input }), 5, 'body-too-large', /4\.8MiB.*limit is 1MiB/);
    expect((await box.list('worker')).messages).toEqual([]);
    await box.ask('config', 'set', 'body-limit', '5MB');
    expect((await box.run(args, { input })).code).toBe(0);
    expectFault(await box.run(args, { input: `${input}1` }), 5, 'body-too-large');
    const { messages } = await box.drain('worker');
    expect(messages.map(({ body }) => body === input)).toEqual([true]);
  });

  test('is measured in bytes, not in characters', async () => {
    const box = await openBox('worker');
    const env = { SIGNALBOX_BODY_LIMIT: '10' };
    const send = (body: string) => box.run(['send', 'worker', body, '--json'], { env });
    expect((await send('üüüüü')).code).toBe(0);
    expectFault(await send('üüüüüx'), 5, 'body-too-large', /11B.*10B/);
  });
});

describe('recipients', () => {
  test('rule 33: an unknown one is refused with exit 3, with the closest name', async () => {
    const box = await openBox('worker', 'reviewer');
    const send = (to: string) => box.run(['send', to, 'x', '--json']);
    expectFault(await send('worke'), 3, 'agent-not-found', /"worke"\. Did you mean "worker"\?/);
    expectFault(await send('zebra'), 3, 'agent-not-found', /There are: reviewer, worker/);
    expectFault(await send('agt_0'), 3, 'agent-not-found');
    expectFault(await send(''), 3, 'agent-not-found');
    expectFault(await send('a\nb\u001b[2J'), 3, 'agent-not-found');
    const nobody = await openBox();
    const first = await nobody.run(['send', 'worker', 'x', '--json']);
    expectFault(first, 3, 'agent-not-found', /signalbox agents add/);
  });

  test('are named by name, by id, or as self', { tags: ['full'] }, async () => {
    const box = await openBox('worker');
    const { to } = await box.ask<SendResult>('send', 'worker', 'by name');
    await box.ask('send', to.id, 'by id');
    await box.runAs('worker', ['send', 'self', 'a note to myself']);
    await box.ask('send', 'self', 'the user to the user');
    expect(await bodies(box, 'worker')).toEqual(['by name', 'by id', 'a note to myself']);
    expect(await bodies(box, 'user')).toEqual(['the user to the user']);
  });
});

describe('keys', () => {
  test('rule 33: the same key sends once; another recipient or body is a conflict, exit 5', async () => {
    const box = await openBox('worker', 'peer');
    const { id } = await box.ask<SendResult>('send', 'worker', 'x', '--key', 'k');
    const again = await box.ask<SendResult>('send', 'worker', 'x', '--key', 'k');
    expect(again).toMatchObject({ id, duplicate: true });
    const other = await box.run(['send', 'worker', 'y', '--key', 'k', '--json']);
    expectFault(other, 5, 'key-conflict', new RegExp(`"k" belongs to ${id}`));
    expectFault(await box.run(['send', 'peer', 'x', '--key', 'k', '--json']), 5, 'key-conflict');
    // Keys are per sender.
    await box.runAs('peer', ['send', 'worker', 'y', '--key', 'k']);
    expect(await bodies(box, 'worker')).toEqual(['x', 'y']);
  });

  test('rule 33: a duplicate is told the state the message has now', {
    tags: ['full'],
  }, async () => {
    const box = await openBox('worker');
    await box.ask('send', 'worker', 'x', '--key', 'k');
    await box.drain('worker');
    const again = await box.ask('send', 'worker', 'x', '--key', 'k');
    expect(again).toMatchObject({ state: 'acked', duplicate: true });
    expect(await bodies(box, 'worker')).toEqual([]);
  });

  test('rule 33: six processes with one key at once make one message', async () => {
    const box = await openBox('worker');
    const ended = await Promise.all(
      Array.from({ length: 6 }, () => box.run(['send', 'worker', 'x', '--key', 'k', '--json'])),
    );
    const results = ended.map((one) => one.json<SendResult>());
    expect(new Set(results.map(({ id }) => id)).size).toBe(1);
    expect(results.filter(({ duplicate }) => !duplicate)).toHaveLength(1);
    expect(await bodies(box, 'worker')).toEqual(['x']);
  });

  test('rule 33: a sender killed after the commit asks again and is told duplicate', async () => {
    const box = await openBox('worker');
    const args = ['send', 'worker', 'x', '--key', 'k', '--json'];
    const held = await box.hold('send.committed', args);
    const killed = await held.kill();
    expect([killed.signal, killed.stdout]).toEqual(['SIGKILL', '']);
    expect((await box.run(args)).json()).toMatchObject({ duplicate: true });
    expect(await bodies(box, 'worker')).toEqual(['x']);
  });

  test('are bounded, and hold no control characters: exit 2', { tags: ['full'] }, async () => {
    const box = await openBox('worker');
    const send = (key: string) => box.run(['send', 'worker', 'x', '--key', key, '--json']);
    for (const key of ['', 'a\nb', 'k'.repeat(257), 'ü'.repeat(129)]) {
      expectFault(await send(key), 2, 'invalid-input', /key/);
    }
    expect((await send('ü'.repeat(128))).code).toBe(0);
  });
});

describe('senders', () => {
  test('--from is for the user alone; an agent acts as itself only: exit 5', async () => {
    const box = await openBox('worker', 'peer');
    await box.ask('send', 'worker', 'as a peer', '--from', 'peer');
    expect((await box.list('worker')).messages[0]?.from.name).toBe('peer');
    for (const from of ['user', 'worker', 'peer']) {
      const ended = await box.runAs('peer', ['send', 'worker', 'x', '--from', from, '--json']);
      expectFault(ended, 5, 'not-allowed', /only the user may send as somebody else/);
    }
    const unknown = await box.run(['send', 'worker', 'x', '--from', 'pere', '--json']);
    expectFault(unknown, 3, 'agent-not-found');
  });

  test('--reply-to acks what it answers, names it, and wants a message of the sender’s own', async () => {
    const box = await openBox('worker', 'peer');
    const task = await box.send('worker', 'a question', { from: 'peer' });
    const reply = ['send', 'peer', 'an answer', '--reply-to', task, '--json'];
    const stranger = await box.run(['send', 'peer', 'x', '--reply-to', task, '--json']);
    expectFault(stranger, 5, 'not-allowed', /neither from nor to the sender/);
    const { id } = (await box.runAs('worker', reply)).json<SendResult>();
    const answered = await box.explain(task);
    expect(answered.message.state).toBe('acked');
    expect(answered.history.at(-1)).toMatchObject({
      code: 'answered',
      cause: `answered by ${id}`,
    });
    expect((await box.list('peer')).messages[0]).toMatchObject({ id, replyTo: [task] });
    const unknown = await box.runAs('worker', ['send', 'peer', 'x', '--reply-to', 'no', '--json']);
    expectFault(unknown, 3, 'message-not-found', /no message "no" to reply to/);
    expect(await bodies(box, 'peer')).toEqual(['an answer']);
  });
});

describe('time to live', () => {
  test('rules 5, 34: what is still queued when it passes expires, and the sender is told', async () => {
    const box = await openBox('worker');
    const send = (...args: string[]) => box.ask<SendResult>('send', 'worker', ...args);
    const { id } = await send('in vain', '--ttl', '1ms', '--urgent');
    const { id: kept } = await send('no hurry', '--ttl', '1h');
    // Each of these settles what is due by itself; the first does it.
    const { messages } = await box.list('worker', messageStates);
    expect(messages.map(({ state, urgent }) => [state, urgent])).toEqual([
      ['expired', true],
      ['queued', false],
    ]);
    // Counted from when it was sent, which may be a wait for the ledger before it was committed.
    const livesMs = messages.map((m) => Date.parse(m.expiresAt ?? '') - Date.parse(m.createdAt));
    expect(livesMs.map((ms) => Math.ceil(ms / 1_800_000))).toEqual([expect.any(Number), 2]);
    const told = (await box.drain('user')).messages;
    expect(told).toMatchObject([{ kind: 'bounce', replyTo: [id], from: { name: 'signalbox' } }]);
    expect(told[0]?.body).toMatch(/not delivered: its time to live passed/);
    const handed = await box.drain('worker');
    expect(handed).toMatchObject({ messages: [{ id: kept }], remaining: 0, deadLetters: 1 });
  });

  test('is a span of at least something, and of ten years at most: exit 2', {
    tags: ['full'],
  }, async () => {
    const box = await openBox('worker');
    // Such a date cannot be written down: one of them made an inbox unreadable for good.
    for (const ttl of ['999999999d', `${'9'.repeat(400)}d`, '3651d']) {
      const ended = await box.run(['send', 'worker', 'x', '--ttl', ttl, '--json']);
      expectFault(ended, 2, 'invalid-input', /at most 3650d/);
    }
    expect((await box.run(['send', 'worker', 'x', '--ttl', '3650d'])).code).toBe(0);
    expect((await box.drain('worker')).messages).toHaveLength(1);
    for (const ttl of ['0s', '5', 'soon', '-1s', '1 year']) {
      const said = ttl === '5' ? /--ttl.*no unit: write 5s/ : /--ttl.*span such as 90s/;
      const ended = await box.run(['send', 'worker', 'x', `--ttl=${ttl}`, '--json']);
      expectFault(ended, 2, 'usage', said);
    }
  });
});

test('O4: a send whose answer cannot be written says that the message was accepted all the same', async () => {
  const box = await openBox('worker');
  const wrapper = ['sh', '-c', 'exec "$@" >/dev/full', 'sh'];
  const ended = await box.run(['send', 'worker', 'x', '--json'], { wrapper });
  expect(ended.code).toBe(1);
  const [message] = (await box.list('worker')).messages;
  expect(ended.stderr).toMatch(
    new RegExp(`^signalbox: ${message?.short} accepted .*Do not send it again\\.\n$`),
  );
});

test('rule 34: the sender who looks for its bounce finds it, though nobody looked at the recipient', async () => {
  const box = await openBox('worker');
  const id = await box.send('worker', 'too late', overdue);
  expect((await box.drain('user')).messages).toMatchObject([{ kind: 'bounce', replyTo: [id] }]);
});

test('a send is answered before it tidies up: a busy ledger does not keep the answer back', async () => {
  const box = await openBox('worker');
  const held = await box.hold('send.committed', ['send', 'worker', 'x', '--json']);
  const other = await box.hold('ledger.uncommitted', ['send', 'worker', 'y']);
  const ended = await held.release();
  expect(ended.json()).toMatchObject({ state: 'queued', duplicate: false });
  await other.kill();
});

import { describe, expect, test } from 'vitest';
import { accept } from '../../src/delivery/accept.ts';
import { acknowledge } from '../../src/delivery/acknowledge.ts';
import { systemClock } from '../../src/shared/clock.ts';
import { addRunning, as, fault, inject, send, state } from '../support/mail.ts';
import { read, TestServer, userTokenOfTests } from '../support/server.ts';

describe('POST /messages', () => {
  test('is answered with the document of the command line promise, from whoever asks', async () => {
    const server = new TestServer();
    const worker = await server.add('worker');
    const lead = await server.add('lead');
    const sent = await server.post('/messages', { to: 'worker', body: 'x', key: 'k' }, as(lead));
    expect([sent.status, await read(sent)]).toEqual([
      201,
      {
        id: expect.stringMatching(/^msg_/),
        short: 'worker:1',
        to: { id: worker.id, name: 'worker', session: 'default' },
        standing: 'notice',
        state: 'queued',
        duplicate: false,
      },
    ]);
    const again = await server.post('/messages', { to: 'worker', body: 'x', key: 'k' }, as(lead));
    expect([again.status, (await read(again)).duplicate]).toEqual([200, true]);
    const { messages } = await read(await server.ask('/agents/worker/inbox'));
    expect(messages).toMatchObject([{ from: { id: lead.id }, body: 'x', urgent: false }]);
  });

  test('a message is asked for by its short id as by its full one, and answered the same way', async () => {
    const server = new TestServer();
    const worker = await server.add('worker');
    const lead = await server.add('lead');
    const { id } = await read(
      await server.post('/messages', { to: 'worker', body: 'x' }, as(lead)),
    );
    for (const [name, caller] of [
      ['1', worker],
      ['worker:1', lead],
      [encodeURIComponent('default/worker:1'), lead],
      [id, lead],
    ] as const) {
      const { message } = await read(
        await server.ask(`/messages/${name}`, { headers: as(caller) }),
      );
      expect(message).toMatchObject({ id, number: 1, short: 'worker:1' });
    }
    const lost = await server.ask('/messages/1', { headers: as(lead) });
    expect([lost.status, (await read(lost)).error]).toMatchObject([
      404,
      { code: 'message-not-found', next: 'There is worker:1: write it so if you mean it.' },
    ]);
    const reply = { to: 'lead', body: 'y', replyTo: '1' };
    const answer = await read(await server.post('/messages', reply, as(worker)));
    expect(answer).toMatchObject({ short: 'lead:1' });
    const told = await read(await server.ask(`/messages/${answer.id}`, { headers: as(worker) }));
    expect(told.message.replyTo).toEqual([id]);
    const acked = await read(
      await server.post('/messages/ack', { ids: ['1', answer.id] }, as(lead)),
    );
    expect(acked.messages).toEqual([{ id: answer.id, state: 'acked' }]);
  });

  test('rule 21: a bare request is a script’s; the user’s own client says that there is a terminal', async () => {
    const server = new TestServer();
    await server.add('worker');
    const wanted = { to: 'worker', body: 'x' };
    const ids = [
      (await read(await server.post('/messages', wanted))).id,
      (await read(await server.post('/messages', wanted, { 'signalbox-user': userTokenOfTests })))
        .id,
    ];
    const sent = await server.ledger.read((tx) =>
      Promise.all(ids.map((id) => tx.messages.find(id))),
    );
    expect(sent.map((message) => message?.isScript)).toEqual([true, false]);
  });

  test('takes urgency, a time to live and what it answers; the answered is acked', async () => {
    const server = new TestServer();
    const worker = await server.add('worker');
    const asked = await send(server, 'worker', 'a question', { urgent: true, ttlMs: 3_600_000 });
    const { messages } = await read(await server.ask('/agents/worker/inbox'));
    expect(messages[0]).toMatchObject({ urgent: true, expiresAt: expect.any(String) });
    const reply = { to: 'user', body: 'an answer', replyTo: asked };
    expect((await server.post('/messages', reply, as(worker))).status).toBe(201);
    expect(await state(server, asked)).toBe('acked');
  });

  test('rule 33: refuses what the command line refuses, with the same faults', async () => {
    const server = new TestServer();
    const worker = await server.add('worker');
    const other = await server.add('other');
    const mine = await send(server, 'worker');
    await send(server, 'worker', 'x', { key: 'k' });
    const wrong: [object, [number, string]][] = [
      [{ to: 'wroker', body: 'x' }, [404, 'agent-not-found']],
      [{ to: 'worker', body: '' }, [400, 'invalid-input']],
      [{ to: 'worker', body: ' \n\t\u00a0' }, [400, 'invalid-input']],
      [{ to: 'worker', body: 'x', key: 'a\nb' }, [400, 'invalid-input']],
      [{ to: 'worker', body: 'x', key: '' }, [400, 'invalid-input']],
      [{ to: 'worker', body: 'x', ttlMs: 0 }, [400, 'invalid-input']],
      [{ to: 'worker', body: 'x', ttlMs: 4e11 }, [400, 'invalid-input']],
      [{ to: 'worker', body: 'x', from: 'other' }, [400, 'invalid-input']],
      [{ to: 'worker', body: 'other', key: 'k' }, [409, 'key-conflict']],
      [{ to: 'worker', body: 'y'.repeat(1_500_000) }, [413, 'body-too-large']],
      [{ to: 'worker', body: 'x', replyTo: 'msg_0' }, [404, 'message-not-found']],
    ];
    for (const [body, expected] of wrong) {
      expect(await fault(await server.post('/messages', body))).toEqual(expected);
    }
    const halved = '{"to":"worker","body":"half \\ud83d"}';
    expect(await fault(await server.post('/messages', halved))).toEqual([400, 'invalid-input']);
    const stranger = { to: 'worker', body: 'x', replyTo: mine };
    expect(await fault(await server.post('/messages', stranger, as(other)))).toEqual([
      403,
      'not-allowed',
    ]);
    const { messages } = await read(await server.ask(`/agents/${worker.id}/inbox`));
    expect(messages).toHaveLength(2);
  });

  test('an agent is known by the token of its present life, and by nothing older (rule 38)', async () => {
    const server = new TestServer();
    const worker = await addRunning(server, 'worker', 'tok_right');
    const other = await server.add('other');
    const post = (headers: Record<string, string>) =>
      server.post('/messages', { to: 'user', body: 'x' }, headers);
    expect((await post({ authorization: 'Bearer tok_right' })).status).toBe(201);
    const { messages } = await read(await server.ask('/agents/user/inbox'));
    expect(messages[0].from.id).toBe(worker.id);
    const both = { authorization: 'Bearer tok_right', ...as(other) };
    expect(await fault(await post(both))).toEqual([403, 'not-allowed']);
    const wrong = [{ authorization: 'Bearer tok_wrong' }, { authorization: 'Basic x' }];
    for (const headers of wrong) {
      expect(await fault(await post(headers))).toEqual([401, 'unauthorised']);
    }
    const end = { at: 1, cause: 'exit' };
    await server.ledger.write((tx) => tx.epochs.end(worker.id, 1, end));
    expect((await post({ authorization: 'Bearer tok_right' })).status).toBe(401);
  });

  test('many at once are all taken, and two with one key make one message', async () => {
    const server = new TestServer();
    await server.add('worker');
    const bodies = Array.from({ length: 100 }, (_, i) => ({ to: 'worker', body: `${i}` }));
    const doubled = { to: 'worker', body: 'once', key: 'k' };
    const bad = { to: 'worker', body: 'x', replyTo: 'msg_0' };
    const answers = await Promise.all(
      [...bodies, doubled, bad, doubled].map((body) => server.post('/messages', body)),
    );
    const codes = answers.map(({ status }) => status);
    expect(codes.filter((code) => code === 201)).toHaveLength(101);
    expect([codes.at(-3), codes.at(-2), codes.at(-1)].sort()).toEqual([200, 201, 404]);
    const { messages } = await read(await server.ask('/agents/worker/inbox'));
    expect(new Set(messages.map(({ body }: { body: string }) => body)).size).toBe(101);
  });
});

describe('GET /messages/{id}', () => {
  test('is the whole story; what it waits for and lacks are known of a running agent', async () => {
    const server = new TestServer();
    const worker = await addRunning(server, 'worker');
    const id = await send(server, 'worker', 'x');
    server.delivery.wait = { code: 'works-until-turn-boundary' };
    const blocked = { code: 'native-blocked', why: 'it was launched without a queue.' } as const;
    server.delivery.states = [
      { route: 'native', state: 'missing', why: blocked },
      { route: 'paste', state: 'missing' },
      { route: 'pull', state: 'open' },
    ];
    const lacks = [
      { route: 'native', why: 'it was launched without a queue' },
      { route: 'paste', why: 'scripted has none' },
    ];
    expect(await read(await server.ask(`/messages/${id}`))).toEqual({
      message: expect.objectContaining({ id, state: 'queued' }),
      history: [{ at: expect.any(String), from: null, to: 'queued', cause: 'accepted' }],
      attempts: [],
      waitsFor: 'it works; at its next turn boundary',
      waitsForCode: 'works-until-turn-boundary',
      lacks,
    });
    const agent = await read(await server.ask('/agents/worker'));
    expect(agent).toMatchObject({
      routes: ['pull'],
      lacks,
      waitsFor: 'it works; at its next turn boundary',
      waitsForCode: 'works-until-turn-boundary',
    });
    await inject(server, worker, 'paste', false);
    const { attempts, ...rest } = await read(await server.ask(`/messages/${id}`));
    expect(attempts).toMatchObject([
      { route: 'paste', epoch: 1, outcome: 'injected', provider: 'scripted', unconfirmed: true },
    ]);
    expect(rest).not.toHaveProperty('waitsFor');
  });

  test('is for its parties and the user; an id that nobody knows is 404', async () => {
    const server = new TestServer();
    const worker = await server.add('worker');
    const other = await server.add('other');
    const id = await send(server, 'worker');
    for (const path of [`/messages/${id}`, `/messages/${id}/wait?state=seen&timeoutMs=0`]) {
      expect((await server.ask(path, { headers: as(worker) })).status).toBe(200);
      const refused = await server.ask(path, { headers: as(other) });
      expect(await fault(refused)).toEqual([403, 'not-allowed']);
    }
    expect(await fault(await server.ask('/messages/msg_0'))).toEqual([404, 'message-not-found']);
  });
});

describe('GET /messages/{id}/wait', () => {
  const poll = (server: TestServer, id: string, wanted: string, ms = 30_000) =>
    server.ask(`/messages/${id}/wait?state=${wanted}&timeoutMs=${ms}`);

  test('is answered when it comes so far, also when another process moved it', async () => {
    const server = new TestServer();
    const worker = await server.add('worker');
    const id = await send(server, 'worker');
    const waits = ['injected', 'seen', 'acked'].map((wanted) => poll(server, id, wanted));
    await inject(server, worker, 'native', true);
    expect(await read((await waits[0]) as Response)).toEqual({
      ...{ id, state: 'injected', reached: true },
    });
    // Past the server, as a command would: nobody tells the bus.
    await server.ledger.write((tx) =>
      acknowledge(tx, systemClock.now(), [id], { code: 'acked', cause: 'acked' }),
    );
    for (const wait of waits.slice(1)) {
      expect(await read(await wait)).toEqual({ id, state: 'acked', reached: true });
    }
    expect(server.bus.subscribers).toBe(0);
  });

  test('is answered at once on news from the bus', async () => {
    const server = new TestServer();
    const worker = await server.add('worker');
    const id = await send(server, 'worker');
    const wait = poll(server, id, 'injected');
    while (server.bus.subscribers === 0) await new Promise((resolve) => setImmediate(resolve));
    await inject(server, worker, 'native', true);
    const data = { state: 'injected', from: 'agt_user', to: worker.id } as const;
    server.bus.publish({ kind: 'message', message: id, data });
    expect((await read(await wait)).reached).toBe(true);
  });

  test('says not yet when its time is over, and when the daemon ends', async () => {
    const server = new TestServer();
    await server.add('worker');
    const id = await send(server, 'worker');
    const not = { id, state: 'queued', reached: false };
    expect(await read(await poll(server, id, 'seen', 0))).toEqual(not);
    const wait = poll(server, id, 'seen');
    while (server.bus.subscribers === 0) await new Promise((resolve) => setImmediate(resolve));
    server.ending.abort();
    expect(await read(await wait)).toEqual(not);
  });

  test('rule 8: seen on a route without proof ends at once; acked may still come', async () => {
    const server = new TestServer();
    const worker = await server.add('worker');
    const id = await send(server, 'worker');
    const wait = poll(server, id, 'seen');
    await inject(server, worker, 'paste', false);
    const response = await wait;
    const { error } = await read(response);
    expect([response.status, error.code]).toEqual([409, 'undeliverable']);
    expect(error.message).toMatch(/sent, unconfirmed/);
    expect((await read(await poll(server, id, 'acked', 0))).reached).toBe(false);
    expect((await read(await poll(server, id, 'injected', 0))).reached).toBe(true);
  });

  test('what is dead or expired is told at once', async () => {
    const server = new TestServer();
    const worker = await server.add('worker');
    const dead = await send(server, 'worker');
    const wait = poll(server, dead, 'injected');
    await server.ask(`/agents/${worker.id}`, { method: 'DELETE' });
    expect(await fault(await wait)).toEqual([409, 'undeliverable']);
    const other = await server.add('other');
    const draft = { kind: 'message', from: 'agt_user', to: other.id, body: 'x' } as const;
    const [late] = await accept(server.ledger, systemClock, [{ ...draft, expiresAt: 1 }]);
    const id = late && 'message' in late ? late.message.id : '';
    expect(await fault(await poll(server, id, 'acked'))).toEqual([409, 'undeliverable']);
  });

  test('wants a state that can be waited for', async () => {
    const server = new TestServer();
    await server.add('worker');
    const id = await send(server, 'worker');
    expect((await poll(server, id, 'queued')).status).toBe(400);
    expect((await poll(server, id, 'seen', -1)).status).toBe(400);
  });
});

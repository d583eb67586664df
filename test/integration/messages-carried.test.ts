import { describe, expect, test } from 'vitest';
import type { AgentView } from '../../src/protocol/agents.ts';
import type { EventView } from '../../src/protocol/events.ts';
import type { Explanation, SendResult } from '../../src/protocol/messages.ts';
import { waitUntil } from '../support/wait-until.ts';
import { expectFault } from './fixtures/expect-fault.ts';
import { eachBackend, inPlaces } from './fixtures/places.ts';
import { openStation, type Station } from './fixtures/station.ts';

/** A turn that ends only when it is interrupted. */
async function keepBusy(station: Station, name: string): Promise<() => Promise<void>> {
  const { control } = await station.launch(name);
  const turn = control.tell('@@work 600s');
  await station.untilStatus(name, 'processing');
  return async () => {
    await control.tell('interrupt');
    await turn;
  };
}

inPlaces(eachBackend, 'messages carried by the composed daemon', ({ test, byPaste }, place) => {
  byPaste('send --wait: pasted into an idle agent, and explained in words', async () => {
    const station = await openStation({ place });
    const { control } = await station.launch('worker');
    const read: Buffer[] = [];
    await control.watchInput((bytes) => read.push(bytes));
    const args = ['send', 'worker', 'Build the API', '--wait', 'injected', '--json'];
    const sent = (await station.run(args)).json<SendResult>();
    const fields = ['duplicate', 'id', 'short', 'standing', 'state', 'to'];
    expect(Object.keys(sent).toSorted()).toEqual(fields);
    expect(sent).toMatchObject({ state: 'injected', duplicate: false });
    expect(Buffer.concat(read).toString()).toContain('Build the API');
    const { stdout } = await station.run(['explain', sent.id]);
    expect(stdout).toMatch(/queued {6}accepted \(fsynced\)/);
    expect(stdout).toMatch(/claimed {5}claimed for the paste route/);
    expect(stdout).toMatch(/attempt 1 .*paste into scripted: sent, unconfirmed/);
    expect(stdout).toContain('Sent, unconfirmed: the paste route can give no proof');
  });

  byPaste(
    'rule 8: --wait seen without proof is exit 1 at once, with the id of what was accepted',
    async () => {
      const station = await openStation({ place });
      await station.launch('worker');
      const ended = await station.run(['send', 'worker', 'x', '--wait', 'seen', '--json']);
      const document = ended.json<SendResult & { error: { code: string } }>();
      expect([ended.code, document.error.code]).toEqual([1, 'undeliverable']);
      expect(document).toMatchObject({ state: 'injected', duplicate: false });
      expect(ended.stderr).toMatch(/^signalbox: msg_\w+ is injected and will not be seen/);
    },
  );

  byPaste(
    '--wait that takes too long is exit 4; what a queued message waits for is told',
    { tags: ['full'] },
    async () => {
      const station = await openStation({ place });
      const rest = await keepBusy(station, 'worker');
      const args = ['send', 'worker', 'x', '--wait', 'injected', '--timeout', '1ms'];
      const ended = await station.run(args);
      expect(ended.code).toBe(4);
      const [, id = ''] = /^(worker:\d+) accepted \(queued\)\n$/.exec(ended.stdout) ?? [];
      expect(ended.stderr).toContain(`${id} was accepted, and was not injected within 1ms`);
      const told = (await station.run(['explain', id])).stdout;
      expect(told).toContain('It waits: it works; when it is at rest.');
      expect(told).toContain('The native route is missing: scripted has none.');
      const status = await station.ask<AgentView>('status', 'worker');
      expect(status).toMatchObject({
        routes: ['paste', 'pull'],
        waitsFor: 'it works; when it is at rest',
      });
      expect(status.lacks?.map(({ route }) => route)).toEqual([
        'native',
        'turn-boundary',
        'mid-turn',
      ]);
      expect((await station.run(['status', 'worker'])).stdout).toMatch(
        /lacks +native: scripted has none/,
      );
      await rest();
      const again = await station.ask<SendResult>('send', 'worker', 'y', '--wait', 'injected');
      expect(again.state).toBe('injected');
    },
  );

  test('without a daemon, or after its end, explain says so', { tags: ['full'] }, async () => {
    const station = await openStation({ place });
    await keepBusy(station, 'worker');
    const id = await station.send('worker', 'x');
    await station.ask('down');
    const story = await station.ask<Explanation>('explain', id);
    expect(story.waitsFor).toMatch(/^no daemon runs/);
    await station.ask('stop', 'worker');
    expect((await station.ask<Explanation>('explain', id)).waitsFor).toBe(
      'worker has exited (stopped); it is held for its next start',
    );
  });

  byPaste(
    'rule 33: two senders with one key at once make one message, carried once',
    { tags: ['full'] },
    async () => {
      const station = await openStation({ place });
      await station.launch('worker');
      const args = ['send', 'worker', 'once', '--key', 'k', '--wait', 'injected', '--json'];
      const ended = await Promise.all([station.run(args), station.run(args)]);
      const sent = ended.map((one) => one.json<SendResult>());
      expect(new Set(sent.map(({ id }) => id)).size).toBe(1);
      expect(sent.map(({ duplicate }) => duplicate).toSorted()).toEqual([false, true]);
      expect((await station.explain(sent[0]?.id ?? '')).attempts).toHaveLength(1);
    },
  );

  byPaste(
    'a daemon that is killed between commit and look carries it after its next start',
    async () => {
      const station = await openStation({ place });
      await station.launch('worker');
      const held = await station.hold('send.committed', ['send', 'worker', 'x', '--json']);
      await station.killDaemon();
      await held.kill();
      const [message] = (await station.list('worker')).messages;
      expect(message?.state).toBe('queued');
      await station.ask('up');
      const story = await waitUntil('its delivery', async () => {
        const told = await station.explain(message?.id ?? '');
        return told.message.state === 'injected' ? told : undefined;
      });
      expect(story.attempts).toMatchObject([{ route: 'paste', epoch: 1 }]);
    },
  );

  byPaste(
    'E1: every move of a message is an event, also those of other processes’ messages',
    { tags: ['full'] },
    async () => {
      const station = await openStation({ place });
      await station.launch('worker');
      const { id } = await station.ask<SendResult>('send', 'worker', 'x', '--wait', 'injected');
      const { events } = await station.ask<{ events: EventView[] }>(
        'events',
        '--topic',
        'message.*.*',
      );
      const topics = events.map(({ topic }) => topic);
      expect(topics).toEqual([`message.${id}.claimed`, `message.${id}.injected`]);
      expect(events[1]?.data).toMatchObject({ state: 'injected', from: 'agt_user' });
    },
  );
});

describe('waiting without a terminal', () => {
  test('a puller’s drain ends the wait; --timeout alone, or a strange state, is usage', {
    tags: ['full'],
  }, async () => {
    const station = await openStation();
    await station.ask('agents', 'add', 'puller');
    const wait = station.run(['send', 'puller', 'x', '--wait', 'seen', '--json']);
    await waitUntil('the message', async () => (await station.list('puller')).messages.length > 0);
    await station.drain('puller');
    expect((await wait).json()).toMatchObject({ state: 'acked' });
    const alone = await station.run(['send', 'puller', 'x', '--timeout', '1s', '--json']);
    expectFault(alone, 2, 'usage', /--wait/);
    const strange = await station.run(['send', 'puller', 'x', '--wait', 'queued', '--json']);
    expectFault(strange, 2, 'usage', /injected, seen, acked/);
    const gone = station.run(['send', 'puller', 'y', '--wait', 'acked', '--json']);
    await waitUntil('the message', async () => (await station.list('puller')).messages.length > 0);
    await station.ask('rm', 'puller');
    const ended = await gone;
    expect([ended.code, ended.json()]).toMatchObject([1, { state: 'dead' }]);
  });
});

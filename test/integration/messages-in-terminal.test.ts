import { expect } from 'vitest';
import type {
  DrainResult,
  InboxList,
  MessageView,
  SendResult,
} from '../../src/protocol/messages.ts';
import { waitUntil } from '../support/wait-until.ts';
import { expectFault } from './fixtures/expect-fault.ts';
import { eachBackend, inPlaces, type Place } from './fixtures/places.ts';
import { openStation, type Station } from './fixtures/station.ts';

/**
 * An agent that works until the test ends: nothing is pasted into it, and it can call signalbox
 * itself.
 */
async function openBusy(place: Place): Promise<Station> {
  const station = await openStation({ place });
  const { control } = await station.launch('worker');
  void control.tell('@@work 600s');
  await station.untilStatus('worker', 'processing');
  return station;
}

const state = async (station: Station, id: string): Promise<string> =>
  (await station.explain(id)).message.state;

inPlaces(eachBackend, 'inside an agent’s terminal', ({ test, byPaste }, place) => {
  test('rule 17: a drain leaves injected, and the agent’s next call of anything acks', async () => {
    const station = await openBusy(place);
    const id = await station.send('worker', 'first');
    const drained = await station.runAs('worker', ['inbox', 'drain', '--json']);
    expect(drained.json<DrainResult>()).toMatchObject({ messages: [{ id, body: 'first' }] });
    // The command has ended, and whoever looks finds the agent alive.
    expect(await state(station, id)).toBe('injected');
    const told = (await station.run(['explain', id])).stdout;
    expect(told).toContain('its next call, ack or turn end answers for it');
    await station.runAs('worker', ['ls']);
    expect(await state(station, id)).toBe('acked');
  });

  test('rule 17: at most 16 KB, and how many remain; its ack answers at once', {
    tags: ['full'],
  }, async () => {
    const station = await openBusy(place);
    const ids: string[] = [];
    for (const size of [9, 9, 9]) ids.push(await station.send('worker', 'x'.repeat(size * 1024)));
    const first = await station.runAs('worker', ['inbox', 'drain']);
    expect(Buffer.byteLength(first.stdout)).toBeLessThan(16 * 1024);
    expect(first.stdout).toMatch(/2 more; drain again\n$/);
    await station.runAs('worker', ['inbox', 'ack', ids[0] ?? '']);
    expect(await state(station, ids[0] ?? '')).toBe('acked');
    // The user takes as always: acked with the last byte.
    await station.drain('worker');
    expect(await state(station, ids[2] ?? '')).toBe('acked');
  });

  test('rule 16: a drain killed before it printed leaves uncertain, and is handed out again, marked', async () => {
    const station = await openBusy(place);
    const id = await station.send('worker', 'x');
    const env = { SIGNALBOX_AGENT: 'worker' };
    const held = await station.hold('drain.injected', ['inbox', 'drain', '--json'], { env });
    await station.runAs('worker', ['ls']);
    expect(await state(station, id)).toBe('injected');
    await held.kill();
    expect(await state(station, id)).toBe('uncertain');
    const again = await station.runAs('worker', ['inbox', 'drain', '--json']);
    expect(again.json<DrainResult>().messages).toMatchObject([{ id, repeat: true }]);
  });

  test('rule 17: the end of the agent’s process makes what was handed out uncertain', async () => {
    const station = await openBusy(place);
    const id = await station.send('worker', 'x');
    await station.runAs('worker', ['inbox', 'drain']);
    await station.ask('stop', 'worker');
    expect(await state(station, id)).toBe('uncertain');
  });

  byPaste(
    'rule 13: a long body is named, read in parts, and seen after its last part',
    { tags: ['full'] },
    async () => {
      const station = await openStation({ place });
      await station.launch('worker');
      const body = Array.from({ length: 2000 }, (_, i) => `line ${i} ${'x'.repeat(40)}\n`).join('');
      const args = ['send', 'worker', '--file', '-', '--wait', 'injected', '--json'];
      const { id } = (await station.run(args, { input: body })).json<SendResult>();
      expect((await station.run(['explain', id])).stdout).toMatch(/named, its body not read yet/);
      const show = (...more: string[]) => station.runAs('worker', ['inbox', 'show', id, ...more]);
      const first = await show();
      const [, of = ''] =
        /--- \w{8} part 1 of (\d+); the next: .*--part 2\n$/.exec(first.stdout) ?? [];
      expect(Number(of)).toBeGreaterThan(10);
      expect(Buffer.byteLength(first.stdout)).toBeLessThan(10_000);
      const parts: string[] = [];
      for (let part = 1; part <= Number(of); part++) {
        parts.push((await show('--part', String(part), '--json')).json<MessageView>().body);
      }
      expect(parts.join('')).toBe(body);
      expect(await state(station, id)).toBe('injected');
      expectFault(await show('--part', '99', '--json'), 2, 'usage', new RegExp(`${of} parts`));
      expect(await state(station, id)).toBe('seen');
      // For the user it is one text, as ever.
      expect((await station.run(['inbox', 'show', id])).stdout).toContain('line 1999');
    },
  );

  byPaste(
    'rule 13: not fetched it is named once more, with a wake; not after that, its sender is told',
    { tags: ['full'] },
    async () => {
      const station = await openStation({ place });
      await station.launch('worker');
      const args = ['send', 'worker', '--file', '-', '--wait', 'injected', '--json'];
      const { id } = (await station.run(args, { input: 'y'.repeat(9000) })).json<SendResult>();
      const said = await waitUntil(
        'word that it was not read',
        async () => {
          const { stdout } = await station.run(['inbox', 'list', 'user', '--json']);
          const { messages } = JSON.parse(stdout) as InboxList;
          return messages.find(({ kind, replyTo }) => kind === 'notice' && replyTo?.includes(id));
          // Twice 10 s of rest lie between.
        },
        90_000,
      );
      expect(said.body).toMatch(/was not read: .* named twice .* was not fetched/);
      const all = await station.run(['inbox', 'list', 'worker', '--state', 'all', '--json']);
      const { messages } = JSON.parse(all.stdout) as InboxList;
      const reminders = messages.filter(({ body }) => body.startsWith(`Not read yet: ${id}`));
      expect(reminders).toMatchObject([{ kind: 'notice', from: { name: 'signalbox' } }]);
      // Read after all, it counts.
      await station.runAs('worker', ['inbox', 'show', id, '--json']);
      await station.runAs('worker', ['ls']);
      expect(await state(station, id)).toBe('seen');
    },
  );

  byPaste(
    'rule 13: a drain hands out the bodies of pointers, and they are seen after the next call',
    { tags: ['full'] },
    async () => {
      const station = await openStation({ place });
      const { control } = await station.launch('worker');
      const args = ['send', 'worker', '--file', '-', '--wait', 'injected', '--json'];
      const { id } = (await station.run(args, { input: 'y'.repeat(9000) })).json<SendResult>();
      void control.tell('@@work 600s');
      const later = await station.send('worker', 'later');
      const drained = await station.runAs('worker', ['inbox', 'drain', '--json']);
      const { messages } = drained.json<DrainResult>();
      expect(messages.find((message) => message.id === id)?.body).toHaveLength(9000);
      expect(await state(station, id)).toBe('injected');
      await station.runAs('worker', ['ls']);
      expect(await state(station, id)).toBe('seen');
      expect(messages.map((message) => message.id)).toContain(later);
    },
  );
});

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Explanation, SendResult } from '../../src/protocol/messages.ts';
import { openPeople } from '../support/people.ts';
import { hasTmux } from '../support/tmux.ts';
import { waitUntil } from '../support/wait-until.ts';
import { openStation } from './fixtures/station.ts';

const check = test.skipIf(!hasTmux);

check(
  'rule 48: a message into a window that is too small waits, says for what, and goes in when the last person has left',
  { tags: ['full'] },
  async () => {
    const station = await openStation();
    // Its footer is longer than the window below is wide, and is broken there.
    mkdirSync(join(station.home, 'detectors'), { recursive: true });
    writeFileSync(join(station.home, 'detectors', 'scripted.yaml'), "smallest: '20x5'\n");
    await station.launch('worker');
    const { session } = await station.pane('worker');
    const people = openPeople(station.home);
    const person = people.attach(join(station.home, 'tmux.sock'), session, 12, 31);
    const small = 'window too small: it is 12×30, and 20×5 would do';
    await station.until('worker', ({ detail }) => detail === small, 'the small window');
    const sent = await station.run(['send', 'worker', 'hello', '--json']);
    expect(sent.stderr).toContain(small);
    const { id } = sent.json<SendResult>();
    const story = await waitUntil('the reason', async () => {
      const told = await station.ask<Explanation>('explain', id);
      return told.waitsForCode === 'window-too-small' ? told : undefined;
    });
    expect(story).toMatchObject({ message: { state: 'queued' }, waitsFor: small, attempts: [] });
    const view = await station.agent('worker');
    expect(view).toMatchObject({ status: 'unknown', detail: small, waitsFor: small });
    expect(view.lacks).toContainEqual({ route: 'paste', why: small });
    for (const words of [['status', 'worker'], ['ls'], ['explain', id]]) {
      expect((await station.run(words)).stdout).toContain(small);
    }
    people.leave(person);
    await waitUntil('its delivery', async () => {
      const { message } = await station.ask<Explanation>('explain', id);
      return message.state !== 'queued';
    });
    await station.until('worker', ({ composer }) => composer === 'empty');
    expect((await station.run(['ls'])).stdout).not.toContain('too small');
  },
);

import { describe, expect, test } from 'vitest';
import { waitUntil } from '../support/wait-until.ts';
import { hasTmux, openStation } from './fixtures/station.ts';
import {
  ask,
  documents,
  hanging,
  lines,
  logged,
  names,
  notices,
  openTelling,
} from './fixtures/telling.ts';

/** A person is told by the daemon, with real agents in terminals and real commands. */
describe.skipIf(!hasTmux)('attention', () => {
  test('rule 48: on-attention and the notice come once for each question, also when the daemon is killed', async () => {
    const station = await openTelling('cat >> "$OUT"');
    await ask(station, 'lead');
    const document = await waitUntil('the command', () => documents(station)[0]);
    expect(document).toEqual({
      items: [
        {
          kind: 'question',
          agent: { id: (await station.agent('lead')).id, name: 'lead' },
          since: expect.stringMatching(/^\d{4}-.*Z$/),
          text: 'Do you trust the files in this folder?',
          next: 'signalbox attach lead',
        },
      ],
    });
    await station.killDaemon();
    await station.run(['up']);
    const notice = await waitUntil('the notice', async () => (await notices(station))[0]);
    expect(notice).toMatchObject({
      kind: 'notice',
      state: 'queued',
      from: { name: 'signalbox' },
      body: 'lead waits for you: Do you trust the files in this folder? → signalbox attach lead',
    });
    await station.killDaemon();
    // What the next one tells of another agent shows that it has looked at this one.
    await ask(station, 'next');
    await waitUntil('the other one', () => names(station).includes('next') || undefined);
    expect(names(station)).toEqual(['lead', 'next']);
    await station.tmux('send-keys', '-t', (await station.pane('lead')).pane, 'Enter');
    await waitUntil('the end of the notice', async () =>
      (await notices(station, 'superseded')).some(({ id }) => id === notice.id),
    );
    // It is the user's affair alone.
    expect((await station.list('lead')).messages).toEqual([]);
    expect((await notices(station)).filter(({ body }) => body.startsWith('lead'))).toEqual([]);
  });

  test('rules 48, 27: an agent that has a parent is in the inbox of the user, too, after 30 s', async () => {
    const station = await openStation();
    await station.launch('lead');
    const child = ['launch', 'scripted', '--name', 'child', '--parent', 'lead', '--no-wait'];
    expect((await station.run([...child, '--', '--start', '@@ask trust'])).code).toBe(0);
    const notice = await waitUntil('the notice', async () => (await notices(station))[0]);
    expect(notice.body).toMatch(/^child waits for you: .* → signalbox attach child$/);
    const toParent = async () => (await station.list('lead')).messages;
    const told = await waitUntil('the word to its parent', async () => (await toParent())[0]);
    expect(told).toMatchObject({ kind: 'completion', outcome: 'waiting', from: { name: 'child' } });
    await station.tmux('send-keys', '-t', (await station.pane('child')).pane, 'Enter');
    await waitUntil('the end of the notice', async () =>
      (await notices(station, 'superseded')).some(({ id }) => id === notice.id),
    );
  });

  test('rule 48: a command that hangs is ended after 10 s, one that fails is logged, one that floods harms nobody', {
    tags: ['full'],
  }, async () => {
    const script = [
      'read -r line; case $line in',
      '*\\"hang\\"*) echo "begin hang" >> "$OUT"; HANGS=$OUT sleep 600; echo "end hang" >> "$OUT";;',
      '*\\"fail\\"*) echo "begin fail" >> "$OUT"; echo "no phone" >&2; exit 3;;',
      '*\\"flood\\"*) echo "begin flood" >> "$OUT"; head -c 200000000 /dev/zero; echo "end flood" >> "$OUT";;',
      'esac',
    ].join(' ');
    const station = await openTelling(script);
    await ask(station, 'hang');
    // It says so before its program has begun.
    await waitUntil('the one that hangs', () => hanging(station).length === 1);
    expect(lines(station)).toEqual(['begin hang']);
    await ask(station, 'fail');
    await waitUntil('the one that fails', () => lines(station).includes('begin fail'));
    // One at a time: the first was ended before.
    expect(hanging(station)).toEqual([]);
    await ask(station, 'flood');
    await waitUntil('the one that floods', () => lines(station).includes('end flood'));
    expect(lines(station)).toEqual(['begin hang', 'begin fail', 'begin flood', 'end flood']);
    const failures = logged(station, 'the command of on-attention failed');
    expect(failures).toEqual([
      { outcome: 'timed-out', why: 'still running after 10 s' },
      { outcome: 'failed', why: 'exit code 3: no phone' },
    ]);
  });
});

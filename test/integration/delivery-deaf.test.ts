import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { DoctorReport } from '../../src/protocol/doctor.ts';
import type { SendResult } from '../../src/protocol/messages.ts';
import { launchClaude, untilSeen } from './fixtures/living-claude.ts';
import { inEveryPlace } from './fixtures/places.ts';
import { launchQuiet, startProxy } from './fixtures/proxy.ts';
import { openStation, type Station } from './fixtures/station.ts';

const broken =
  /(?:it cannot be woken|a pasted line tells it)[^:]*: no waiting hook of it is connected/;
const text = '{ "theme": "dark" }\n';

/** Where the fake keeps what is the user's. */
function settingsOf(station: Station, name: string): string {
  const folder = join(station.home, `${name}-claude`, 'config');
  mkdirSync(folder, { recursive: true });
  return join(folder, 'settings.json');
}

inEveryPlace('rule 53: an idle agent is never deaf', ({ test }, place) => {
  test('its waiting hook is killed: it is put up again by itself, the next message gets in once, and the user’s settings keep their bytes', async () => {
    const station = await openStation({ place });
    const settings = settingsOf(station, 'worker');
    writeFileSync(settings, text);
    const before = statSync(settings);
    const claude = await launchClaude(station, 'worker');
    await claude.killHooks();
    const { id } = await station.ask<SendResult>('send', 'worker', 'to a deaf one');
    const { attempts } = await untilSeen(station, id);
    expect(attempts).toMatchObject([{ route: 'native' }]);
    expect(claude.copies('to a deaf one')).toBe(1);
    expect(readFileSync(settings, 'utf8')).toBe(text);
    const after = statSync(settings);
    expect(after.mtimeMs).toBeGreaterThan(before.mtimeMs);
    expect([after.ino, after.size]).toEqual([before.ino, before.size]);
    expect((await station.agent('worker')).broken).toBeUndefined();
  });

  test('without settings that could be touched, send, status, ls, doctor and the tools say what is broken, until a prompt brings the hook back', {
    tags: ['full'],
  }, async () => {
    const station = await openStation({ place });
    const claude = await launchClaude(station, 'worker');
    await claude.killHooks();
    await station.until('worker', (agent) => broken.test(agent.broken ?? ''), 'broken');
    const sent = await station.run(['send', 'worker', 'to a deaf one', '--json']);
    expect([sent.code, sent.stderr]).toEqual([0, expect.stringMatching(broken)]);
    expect(sent.stderr).toContain('there is no');
    expect((await station.run(['status', 'worker'])).stdout).toMatch(broken);
    expect((await station.run(['ls'])).stdout).toMatch(broken);
    const doctor = await station.run(['doctor', '--json']);
    const { warnings } = doctor.json<DoctorReport>();
    expect(warnings).toContainEqual({
      what: expect.stringMatching(broken),
      next: 'See `signalbox status worker`.',
    });
    const proxy = startProxy(await launchQuiet(station, 'lead'));
    const calls: readonly [string, object][] = [
      ['send_message', { to: 'worker', body: 'from a tool' }],
      ['assign', { profile: 'worker', task: 'to a deaf worker' }],
      ['handoff', { profile: 'worker', task: 'to a deaf worker, too', timeout_seconds: 1 }],
    ];
    for (const [tool, given] of calls) {
      const { structuredContent, content } = await proxy.call(tool, given);
      expect(structuredContent).toMatchObject({ broken: expect.stringMatching(broken) });
      expect(content[0].text).toMatch(/\n"worker": (?:it cannot be woken|a pasted line)[^\n]+\.$/);
    }
    expect(statSync(settingsOf(station, 'worker'), { throwIfNoEntry: false })).toBeUndefined();

    await claude.prompts();
    await claude.ends();
    await untilSeen(station, sent.json<SendResult>().id);
    await station.until('worker', (agent) => agent.broken === undefined, 'whole again');
    expect(claude.copies('to a deaf one')).toBe(1);
  });
});

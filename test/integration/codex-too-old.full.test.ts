import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { AgentView } from '../../src/protocol/agents.ts';
import type { Explanation, SendResult } from '../../src/protocol/messages.ts';
import { openStation, type Station } from './fixtures/station.ts';

const words = (name: string): string =>
  `${name} is not woken while it is at rest: Codex 0.140.0 cannot be woken; 0.148.0 or newer can: npm install -g @openai/codex. ` +
  'Messages wait until it takes them itself, with `signalbox inbox drain`. ' +
  `Once that is installed, \`signalbox restart ${name}\` starts it in the new version.`;

/** A Codex that only starts: all of this is known from its version. */
function installCodex(station: Station, version: string): Readonly<{ PATH: string }> {
  const folder = join(station.home, 'clis');
  mkdirSync(folder, { recursive: true });
  const text = `#!/bin/sh\nif [ "$1" = --version ]; then echo codex-cli ${version}; exit; fi\nexec sleep 600\n`;
  writeFileSync(join(folder, 'codex'), text, { mode: 0o755 });
  return { PATH: `${folder}:${station.env['PATH'] ?? process.env['PATH']}` };
}

test('rule 48: an old Codex says at launch, send, status and ls that nothing wakes it, and which version would do; without a daemon, too', async () => {
  const station = await openStation();
  const env = installCodex(station, '0.140.0');
  const launch = (...args: readonly string[]) =>
    station.run(['launch', 'codex', ...args, '--cwd', station.home], { env });
  const cod = await launch('Say', 'hello', '--name', 'cod');
  expect([cod.code, cod.stderr]).toEqual([
    0,
    `signalbox: Its first message waits. ${words('cod')}\n`,
  ]);
  const dex = await launch('--name', 'dex', '--json');
  expect(dex.json<AgentView>().unwoken).toBe(words('dex'));

  const told = async (): Promise<void> => {
    const sent = await station.run(['send', 'cod', 'more']);
    expect([sent.code, sent.stderr]).toEqual([
      0,
      `signalbox: The message waits. ${words('cod')}\n`,
    ]);
    const asJson = await station.run(['send', 'cod', 'yet more', '--json']);
    expect(asJson.json<SendResult>()).toMatchObject({ state: 'queued', unwoken: words('cod') });
    const status = await station.run(['status', 'cod']);
    expect(status.stdout.replace(/\s+/g, ' ')).toContain(words('cod'));
    const shown = await station.run(['status', 'cod', '--json']);
    expect(shown.json<AgentView>().unwoken).toBe(words('cod'));
    const listed = await station.run(['ls']);
    expect(listed.stdout).toContain('cod, dex: no message wakes them at rest');
  };
  await told();
  await station.run(['down']);
  const sent = await station.run(['send', 'cod', 'without a daemon', '--json']);
  expect(sent.json<SendResult>()).toMatchObject({ unwoken: words('cod') });
  await station.run(['up'], { env });
  await told();
  const { id } = sent.json<SendResult>();
  const story = (await station.run(['explain', id, '--json'])).json<Explanation>();
  expect(story.message.state).toBe('queued');
}, 120_000);

test('rule 48: a Codex with an argument that keeps it from its queue says which', async () => {
  const station = await openStation();
  const env = installCodex(station, '0.166.0');
  const args = ['launch', 'codex', '--name', 'cod', '--cwd', station.home, '--json'];
  const cod = await station.run([...args, '--', '-p', 'work'], { env });
  expect(cod.json<AgentView>().unwoken).toContain(
    'Codex started with -p cannot be woken; without this it can.',
  );
}, 120_000);

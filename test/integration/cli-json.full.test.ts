import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { AgentView } from '../../src/protocol/agents.ts';
import type { MessageView, SendResult } from '../../src/protocol/messages.ts';
import { systemClock } from '../../src/shared/clock.ts';
import { start, waitForEnd } from '../support/cli.ts';
import { findMisprint } from '../support/misprint.ts';
import { printedDocuments } from '../support/printed-documents.ts';
import { waitUntil } from '../support/wait-until.ts';
import { type Box, openBox, overdue } from './fixtures/box.ts';
import { hasTmux, openStation } from './fixtures/station.ts';

/**
 * Every command is run, and what it prints is read by the schema that docs/json.md is made from;
 * `ask` and `json` refuse a field that the schema lacks. Only `demo` is left to demo.test.ts, which
 * reads it in the same way.
 */
describe.runIf(hasTmux)('--json prints what docs/json.md says', () => {
  // They have tests of their own: `uninstall` looks at the default home as well, and an agent that
  // asks something, or works, is in cli-answer.test.ts and interrupt.test.ts.
  const asked = new Set<string>(['demo', 'uninstall', 'answer', 'interrupt', 'dashboard']);
  const note = (box: Box): Box['ask'] => {
    return (...args) => {
      const names = [args.slice(0, 2).join(' '), args[0] ?? ''];
      asked.add(names.find((name) => Object.hasOwn(printedDocuments, name)) ?? '');
      return box.ask(...args);
    };
  };

  test('messages and agents', async () => {
    const box = await openBox('lead', 'worker');
    const ask = note(box);
    const { id } = await ask<SendResult>('send', 'worker', 'hello', '--key', 'k', '--urgent');
    await ask('send', 'worker', 'hello', '--key', 'k', '--urgent');
    await ask('inbox', 'list', 'worker');
    await ask('inbox', 'show', id);
    await ask('inbox', 'show', id, '--part', '1');
    await ask('explain', id);
    await ask('inbox', 'drain', 'worker');
    await ask('inbox', 'ack', id);
    await ask('explain', id);
    await ask('cancel', (await ask<SendResult>('send', 'worker', 'never mind')).id);
    await box.send('lead', 'late', overdue);
    await box.send('lead', 'late, too', overdue);
    await box.drain('lead');
    const dead = await ask<{ messages: MessageView[] }>('dead-letters', 'list');
    const [first, second] = dead.messages;
    await ask('dead-letters', 'retry', first?.id ?? '');
    await ask('dead-letters', 'discard', second?.id ?? '');
    await ask<AgentView>('agents', 'add', 'more', '--parent', 'lead', '--session', 's');
    await ask('ls');
    await ask('agents', 'ls');
    await ask('status', 'more');
    await ask('agents', 'rm', 'more');
    await ask('rm', 'worker');
    asked.add('run-task');
    const ran = await box.run(['run-task', '--parent', 'lead', '--json', '--', 'true']);
    expect(ran.json()).toMatchObject({ exitCode: 0, completion: { to: { name: 'lead' } } });
    const vain = ['send', 'lead', 'x', '--wait', 'acked', '--timeout', '1s', '--json'];
    expect((await box.run(vain)).json()).toMatchObject({ error: { code: 'timed-out' } });
    const unknown = await box.run(['status', 'nobody', '--json']);
    expect(unknown.json()).toMatchObject({ error: { code: 'agent-not-found' } });
  });

  test('settings, profiles, rules and this installation', async () => {
    const box = await openBox('lead');
    const ask = note(box);
    await ask('config');
    await ask('config', 'path');
    await ask('config', 'get', 'retention');
    await ask('config', 'set', 'retention', '30d');
    const file = join(box.home, 'tester.md');
    writeFileSync(file, '---\nname: tester\ndescription: Tests.\nprovider: codex\n---\nTest it.\n');
    await ask('profile', 'list');
    await ask('profile', 'show', 'reviewer');
    await ask('profile', 'validate', file);
    await ask('profile', 'add', file);
    await ask('profile', 'rm', 'tester');
    await ask('trust', '--list');
    await ask('detect', '--provider', 'codex');
    const screen = ['detect', '--provider', 'codex', '--screen', '-', '--json'];
    expect((await box.run(screen, { input: '> ' })).json()).toHaveProperty('composer');
    await ask('completion', 'fish');
    asked.add('doctor');
    const report = await box.run(['doctor', '--json']);
    expect(report.json()).toHaveProperty('ledger.exists', true);
  });

  test('lives and tasks, through the daemon', async () => {
    const station = await openStation();
    const ask = note(station);
    await ask('up');
    await station.launch('worker');
    asked.add('launch');
    asked.add('health');
    (await station.run(['health', '--json'])).json();
    const { task } = await ask<{ task: string }>('assign', 'worker', 'Now @@say one');
    await waitUntil('the answer', async () => {
      const { messages } = await station.list('user');
      return messages.length > 0 ? messages : undefined;
    });
    await ask('explain', task);
    await ask('handoff', 'worker', 'Now @@say two');
    await ask('agents', 'add', 'idler');
    const vain = ['handoff', 'idler', 'Never', '--timeout', '1s', '--json'];
    expect((await station.run(vain)).json()).toMatchObject({ outcome: 'pending' });
    await ask('status', 'worker');
    await ask('ls');
    await ask('inbox', 'list', '--state', 'all');
    await ask('output', 'worker', '--full');
    await ask('output', 'worker', '--last');
    await ask('attach', 'worker');
    await ask('attention');
    await ask('tmux-status');
    await ask('events');
    await ask('logs');
    await ask('logs', 'worker');
    await expectLines(station, ['output', 'worker', '--follow'], () =>
      station.send('worker', 'Now @@say three'),
    );
    await expectLines(station, ['events', '--follow'], () => station.send('worker', 'Now @@say x'));
    (await station.run(['doctor', '--json'])).json();
    await ask('restart', 'worker');
    await ask('stop', 'worker');
    const several = await station.run(['stop', '--all', '--json']);
    several.json();
    await ask('rm', 'worker');
    await ask('down');
    await ask('down');
  });

  test('no command is left out', () => {
    expect(Object.keys(printedDocuments).filter((command) => !asked.has(command))).toEqual([]);
  });
});

/** Of a command that follows something: the first line that `stir` makes it print. */
async function expectLines(
  { home }: Box,
  args: readonly string[],
  stir: () => Promise<unknown>,
): Promise<void> {
  const child = start([...args, '--json'], { home });
  const ended = waitForEnd(child);
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  let said = '';
  child.stdout?.on('data', (chunk: Buffer) => {
    said += chunk.toString();
  });
  await waitUntil(`a line of ${args.join(' ')}`, async () => {
    if (!said.includes('\n')) await stir();
    // It may not listen yet: then the next one is for it.
    await systemClock.sleep(200);
    return said.includes('\n');
  });
  const [line = ''] = said.split('\n');
  expect(findMisprint(args, JSON.parse(line))).toBeUndefined();
}

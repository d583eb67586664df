import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { scriptedProvider } from '../../src/demo/scripted-provider.ts';
import { listBlocks } from '../pages/read-page.ts';
import { openRepository } from '../support/repository.ts';
import { type AgentShell, openAgentShell } from './fixtures/agent-shell.ts';
import { senderOf } from './fixtures/sender-of.ts';
import { hasTmux, openStation, type Station } from './fixtures/station.ts';

const file = 'skills/signalbox/SKILL.md';
/** Its blocks, in their order. */
const [assign, handoff, look, answer, drain, ...more] = listBlocks(
  file,
  readFileSync(file, 'utf8'),
).map(({ commands }) => commands);

/** Their exact words, in terminals of agents whose programs are shells. */
describe.runIf(hasTmux)('the lines of the skill', () => {
  test('end well, typed by a supervisor and by its worker', { timeout: 600_000 }, async () => {
    expect(more).toEqual([]);
    const station = await openStation({ settings: { 'default-provider': scriptedProvider } });
    const { path: cwd, write } = openRepository(join(station.home, 'shop'));
    write('report.md', 'All of it.\n');
    const lead = await openAgentShell(station, 'lead', '--cwd', cwd);
    const worker = await openAgentShell(station, 'worker', '--cwd', cwd, '--parent', 'lead');
    expect(await typeAll(lead, assign)).toEqual([]);
    expect(await typeAll(lead, handoff)).toEqual([]);
    // Rule 33: a model learns that it had that answer.
    const again = await lead.type(handoff?.[0] ?? '');
    expect(again).toMatchObject({
      code: 0,
      screen: expect.stringContaining('answered before, as'),
    });
    // The page speaks of its third message.
    expect((await lead.type('signalbox send limit "How far are you?"')).code).toBe(0);
    expect(await typeAll(lead, look)).toEqual([]);
    expect(senderOf(station, 'Leave the README alone.')).toBe('lead');
    expect((await station.agent('limit')).status).toBe('exited');

    countFrom(station, 'worker', 411);
    expect((await lead.type('signalbox assign worker "Add a --limit option."')).code).toBe(0);
    expect(await owed(station)).toEqual(['Add a --limit option.']);
    expect(await typeAll(worker, answer?.slice(0, 1))).toEqual([]);
    expect(await owed(station)).toEqual([]);
    expect(await typeAll(worker, answer?.slice(1))).toEqual([]);
    expect(senderOf(station, 'Done: src/list.ts and its test. 14 tests pass.')).toBe('worker');
    expect(senderOf(station, 'All of it.\n')).toBe('worker');
    expect(await typeAll(worker, drain)).toEqual([]);
    expect((await station.list('worker', ['queued'])).messages).toEqual([]);
  });

  test('a line that does not end well is told', async () => {
    const station = await openStation();
    const shell = await openAgentShell(station, 'lead');
    const wrong = await typeAll(shell, ['true', 'signalbox status nobody']);
    expect(wrong).toEqual([expect.stringMatching(/^signalbox status nobody: ended with 3\n/)]);
  });
});

/** What went wrong: a line that did not end with 0, and its screen. */
async function typeAll(
  shell: AgentShell,
  lines: readonly string[] = [],
): Promise<readonly string[]> {
  const wrong: string[] = [];
  for (const line of lines) {
    const { code, screen } = await shell.type(line);
    if (code !== 0) wrong.push(`${line}: ended with ${code}\n${screen}`);
  }
  return wrong;
}

/** The tasks that the worker owes an answer to. */
async function owed(station: Station): Promise<readonly (string | undefined)[]> {
  const { owes = [] } = await station.agent('worker');
  return owes.map(({ about }) => about);
}

/** The next message to an agent of this name has the number behind this one. */
function countFrom({ home }: Station, name: string, last: number): void {
  const ledger = new Sqlite(join(home, 'ledger.db'));
  ledger.prepare('insert or replace into numbers (name, last) values (?, ?)').run(name, last);
  ledger.close();
}

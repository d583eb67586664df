import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { AgentView } from '../../src/protocol/agents.ts';
import { listTree } from '../../src/shared/process-tree.ts';
import { tempHome } from '../support/home.ts';
import { openPerson } from '../support/person.ts';
import { waitUntil } from '../support/wait-until.ts';
import { boxAt } from './fixtures/box.ts';
import { hasTmux, openStation } from './fixtures/station.ts';

describe.skipIf(!hasTmux)('rule 54: who may answer in the place of the user', () => {
  test('is the agent that the user names at a terminal, and none that gets its name', async () => {
    const station = await openStation();
    const person = await openPerson(station.home);
    const set = (value: string) => person.type(['config', 'set', 'supervisors-answer', value]);
    const note = join(station.home, 'supervisors.json');
    const early = await set('default/lead');
    expect([early.code, early.screen]).toEqual([3, expect.stringContaining('Launch it first')]);
    expect(existsSync(note)).toBe(false);
    const lead = await station.launch('lead');
    const named = await set('default/lead');
    expect([named.code, named.screen]).toEqual([
      0,
      expect.stringContaining(`default/lead is ${lead.id}; no other agent that gets this name`),
    ]);
    expect(JSON.parse(readFileSync(note, 'utf8'))).toEqual({ 'default/lead': lead.id });
    const refused = await station.run(['config', 'set', 'supervisors-answer', 'default/lead'], {
      env: { SIGNALBOX_AGENT: lead.id },
    });
    expect(refused.code).toBe(5);
    expect((await set('')).code).toBe(0);
    expect(existsSync(note)).toBe(false);
  });

  test('is no agent that a config.yaml of its own names, over the real agents', async () => {
    const home = tempHome();
    const folders = { XDG_CONFIG_HOME: join(home, 'sly'), XDG_STATE_HOME: join(home, 'state') };
    for (const folder of Object.values(folders)) {
      mkdirSync(join(folder, 'signalbox'), { recursive: true, mode: 0o700 });
    }
    const config = join(home, 'sly', 'signalbox', 'config.yaml');
    writeFileSync(config, 'supervisors-answer: shop/sly\n');
    const box = boxAt(home, { ...folders, SIGNALBOX_HOME: '' });
    onTestFinished(async () => void (await box.run(['uninstall', '--yes'])));
    const launch = async (name: string, ...more: readonly string[]): Promise<string> => {
      const args = ['launch', 'generic', '--name', name, '--session', 'shop', '--no-wait', ...more];
      const ended = await box.run([...args, '--json', '--', 'sleep', '600']);
      expect(ended.stderr).toBe('');
      return ended.json<AgentView>().id;
    };
    const sly = await launch('sly');
    await launch('child', '--parent', 'shop/sly');
    const shown = await box.run(['config', 'get', 'supervisors-answer']);
    expect(shown.stdout).toBe('shop/sly\n');
    const SIGNALBOX_TOKEN = await waitUntil('its token', () => readToken(sly));
    const env = { SIGNALBOX_AGENT: sly, SIGNALBOX_TOKEN };
    const refused = await box.run(['answer', 'shop/child', '--json'], { env });
    expect([refused.code, refused.stderr]).toEqual([
      5,
      expect.stringContaining('Another agent was named'),
    ]);
  });
});

/** As its own program has it. */
function readToken(agent: string): string | undefined {
  const [found] = listTree(undefined, [`SIGNALBOX_AGENT=${agent}`]);
  if (!found) return undefined;
  const text = readFileSync(`/proc/${found.pid}/environ`, 'utf8');
  return /(?:^|\0)SIGNALBOX_TOKEN=([^\0]+)/.exec(text)?.[1];
}

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openPerson } from '../support/person.ts';
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
});

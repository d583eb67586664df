import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { expect, test } from 'vitest';
import type { DoctorReport } from '../../src/protocol/doctor.ts';
import { openBox } from './fixtures/box.ts';

test('doctor says that this Node.js cannot load SQLite, also where there is no ledger yet', async () => {
  const box = await openBox();
  const preload = join(box.home, 'preload.cjs');
  const failure = "Object.assign(new Error('another ABI'), { code: 'ERR_DLOPEN_FAILED' })";
  writeFileSync(preload, `process.dlopen = () => { throw ${failure}; };\n`);
  const env = { NODE_OPTIONS: `--require=${preload}`, SIGNALBOX_HOME: join(box.home, 'new') };
  const ended = await box.run(['doctor', '--json'], { env });
  expect(ended.code).toBe(1);
  const { ok, problems, ledger } = ended.json<DoctorReport>();
  expect([ok, ledger.exists]).toEqual([false, false]);
  expect(problems).toEqual([
    expect.objectContaining({ what: expect.stringMatching(/database module .* cannot be loaded/) }),
  ]);
});

test('a history from before a code was renamed reads like a new one', async () => {
  const box = await openBox('worker');
  const id = await box.send('worker', 'hello');
  const ledger = new Sqlite(join(box.home, 'ledger.db'));
  ledger.prepare("update history set code = 'not-fetched'").run();
  ledger.close();
  const { history } = await box.ask<{ history: { code?: string }[] }>('explain', id);
  expect(history.map(({ code }) => code)).toEqual(['call-dropped']);
});

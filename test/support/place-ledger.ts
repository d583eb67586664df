import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Clock, systemClock } from '../../src/shared/clock.ts';
import { createId } from '../../src/shared/ids.ts';
import { openSqliteLedger } from '../../src/store/sqlite/open.ts';

interface Template {
  readonly bytes: Buffer;
  readonly id: string;
}

/** By the time at which each was made, for clocks that stand still. */
const templates = new Map<string, Promise<Template>>();

/**
 * Puts a new ledger in an empty place: a copy of one that this process has made before, with an id
 * of its own. To make one takes 15 ms of CPU time, and twelve times that on a disk that is busy;
 * what is tried with it is tried after that. How ledgers are made has tests of its own.
 */
export async function placeLedger(path: string, clock: Clock = systemClock): Promise<void> {
  const key = clock === systemClock ? 'now' : String(clock.now());
  let made = templates.get(key);
  if (made === undefined) {
    made = makeTemplate(clock);
    templates.set(key, made);
  }
  const { bytes, id } = await made;
  const copy = Buffer.from(bytes);
  copy.write(createId('ldg', clock.now()), copy.indexOf(id), 'latin1');
  writeFileSync(path, copy, { mode: 0o600, flag: 'wx' });
}

async function makeTemplate(clock: Clock): Promise<Template> {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-template-'));
  try {
    const path = join(folder, 'ledger.db');
    const ledger = await openSqliteLedger(path, { clock, lockWaitMs: 10_000 });
    const { id } = ledger;
    await ledger.close();
    const bytes = readFileSync(path);
    // Once, and in the file itself: all is in it, and nothing else of it is changed.
    if (bytes.indexOf(id) < 0 || bytes.indexOf(id) !== bytes.lastIndexOf(id)) {
      throw new Error(`the id of a new ledger does not stand in it once: ${id}`);
    }
    return { bytes, id };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Clock } from '../../src/shared/clock.ts';
import type { Ledger } from '../../src/store/ledger.ts';
import { MemoryLedger } from '../../src/store/memory/ledger.ts';
import { openSqliteLedger } from '../../src/store/sqlite/open.ts';
import { placeLedger } from '../support/place-ledger.ts';

/** Every engine passes the same suite. A new one is one more line here. */
export interface Engine {
  readonly name: string;
  open(clock: Clock): Promise<{ ledger: Ledger; dispose(): Promise<void> }>;
}

export const engines: readonly Engine[] = [
  { name: 'sqlite', open: openSqlite },
  {
    name: 'memory',
    open: async () => ({ ledger: new MemoryLedger(), dispose: async () => undefined }),
  },
];

async function openSqlite(clock: Clock): Promise<{ ledger: Ledger; dispose(): Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-contract-'));
  const path = join(folder, 'ledger.db');
  await placeLedger(path, clock);
  const ledger = await openSqliteLedger(path, { clock, lockWaitMs: 10_000 });
  return {
    ledger,
    dispose: async () => {
      await ledger.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

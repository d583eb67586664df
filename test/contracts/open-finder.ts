import { mkdirSync } from 'node:fs';
import { onTestFinished } from 'vitest';
import type { AgentContext } from '../../src/providers/provider.ts';
import type { Evidence } from '../../src/providers/way-in.ts';
import { tempHome } from '../support/home.ts';
import { conversation, type Finder, runFolderIn, writeRecords } from './record-finders.ts';

/**
 * A home with the records of one finder, and the servers that it asks; both are gone when the test
 * is over.
 */
export async function openFinder(finder: Finder, hasLanded = false) {
  const home = tempHome('sb-records-');
  mkdirSync(runFolderIn(home));
  const { landing, records } = finder;
  const all = hasLanded && landing ? [...records, landing] : records;
  await writeRecords(home, { ...finder, records: all });
  const close = await finder.serve?.(home, hasLanded);
  if (close) onTestFinished(close);
  const openEvidence = (wish: Partial<AgentContext> = {}): Evidence => {
    const context: AgentContext = {
      agent: 'agt_1',
      pid: process.pid,
      cwd: '/srv/app',
      runFolder: runFolderIn(home),
      conversation: finder.attempt.conversation ?? conversation,
      startedAt: Date.parse('2026-11-15T13:00:00Z'),
      version: '1.0.0',
      env: { HOME: home },
      ...wish,
    };
    const life = { current: () => context, changed: () => undefined };
    const evidence = finder.provider.openEvidence?.(life);
    if (!evidence) throw new Error(`${finder.provider.name} has no evidence.`);
    onTestFinished(() => evidence.close());
    return evidence;
  };
  return { home, openEvidence };
}

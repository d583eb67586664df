import { dirname } from 'node:path';
import { hashToken } from '../../agents/token.ts';
import { caughtErrorsPath, findFolders } from '../../config/folders.ts';
import { requireOwnFolder } from '../../config/own-folder.ts';
import { endTurn } from '../../fleet/end-turn.ts';
import { partsMs, splitTurn } from '../../fleet/split-turn.ts';
import type { WantedConversation } from '../../providers/provider.ts';
import { openProviderShelf } from '../../providers/registry.ts';
import type { TurnNews } from '../../providers/way-in.ts';
import { noteBug } from '../../shared/bug-notes.ts';
import { systemClock } from '../../shared/clock.ts';
import { parseObject } from '../../shared/json.ts';
import { keepBugs, reportBug } from '../../shared/report-bug.ts';
import type { Ledger } from '../../store/ledger.ts';
import { ledgerExists, openSqliteLedger } from '../../store/sqlite/open.ts';
import { readOwed } from './read-owed.ts';

export interface UnheardHook {
  readonly ledgerPath: string;
  readonly env: NodeJS.ProcessEnv;
  readonly token: string;
  readonly event: string;
  readonly payload: string;
  /** Which call of the hook: `<second>-<pid>`. */
  readonly report?: string | undefined;
}

/** Nobody waits for it: it runs on its own. */
const lockWaitMs = 10_000;

/**
 * Writes down what a hook told while no daemon was there to hear it: the end of a turn, and that a
 * text was submitted.
 */
export async function commitHook({ ledgerPath, env, ...hook }: UnheardHook): Promise<void> {
  requireOwnFolder({ state: dirname(ledgerPath), config: dirname(ledgerPath) });
  if (!ledgerExists(ledgerPath)) return;
  const notes = caughtErrorsPath(findFolders(env));
  keepBugs((bug) => noteBug(notes, bug, systemClock.now()));
  try {
    const ledger = await openSqliteLedger(ledgerPath, { clock: systemClock, lockWaitMs });
    try {
      await commit(ledger, env, hook);
    } finally {
      await ledger.close();
    }
  } catch (error) {
    // The client stays silent (rule 23), so that nobody else would tell of it.
    reportBug('keeping what a hook told while no daemon ran', error);
    throw error;
  }
}

async function commit(
  ledger: Ledger,
  env: NodeJS.ProcessEnv,
  { token, event, payload, report }: Pick<UnheardHook, 'token' | 'event' | 'payload' | 'report'>,
): Promise<void> {
  const body = parseObject(payload);
  const epoch = await ledger.read((tx) => tx.epochs.findByTokenHash(hashToken(token)));
  // Of a stranger, or of a life that is over (rule 38).
  if (!body || !epoch || epoch.endedAt !== undefined) return;
  const provider = await openProviderShelf(findFolders(env)).find(epoch.provider);
  const { prompt } = body;
  if (typeof prompt === 'string') await noteSubmitted(ledger, epoch.agent, prompt);
  const turnEnd = provider.readHook?.({ event, body })?.turnEnd;
  if (!turnEnd) return;
  const call = readCall(report);
  const told = { ...turnEnd, ...call };
  const { endedAt: heardAt = systemClock.now() } = call;
  const heard = { heardAt, signal: AbortSignal.timeout(partsMs) };
  const read =
    provider.readTurnParts &&
    (async () => provider.readTurnParts?.(told, findPlace(env, turnEnd), heard));
  const place = findPlace(env, turnEnd);
  const onRecord = await readOwed({ ledger, clock: systemClock }, provider, epoch, place);
  const parts = await splitTurn(ledger, epoch.agent, told, read);
  for (const part of parts) {
    const { text = part.said } = part;
    await endTurn(ledger, systemClock, {
      ...{ child: epoch.agent, epoch: epoch.epoch, ...part, onRecord },
      ...(text === undefined ? {} : { text }),
    });
  }
}

/** A hook has the CLI's own environment. */
function findPlace(env: NodeJS.ProcessEnv, { session }: TurnNews): WantedConversation {
  const set = Object.entries(env).filter((entry): entry is [string, string] => !!entry[1]);
  return { conversation: session, cwd: process.cwd(), env: Object.fromEntries(set) };
}

/**
 * When the hook was called, and its name: a daemon that has come since may have put something in
 * that is not of this turn.
 */
function readCall(report: string | undefined) {
  const [, second] = /^(\d+)-\d+$/.exec(report ?? '') ?? [];
  if (report === undefined || second === undefined) return {};
  return { report, endedAt: Number(second) * 1000 + 999 };
}

/**
 * Without it, a text that was sent in the moment before a crash of all would be taken for one that
 * was not.
 */
async function noteSubmitted(ledger: Ledger, agent: string, prompt: string): Promise<void> {
  const marks = new Set(prompt.match(/\bmark_\w+/g)?.slice(0, 20));
  if (marks.size === 0) return;
  await ledger.write(async (tx) => {
    for (const mark of marks) {
      const claim = await tx.claims.findByMark(mark);
      if (claim?.recipient === agent) await tx.claims.note(claim.token, { isSubmitted: true });
    }
  });
}

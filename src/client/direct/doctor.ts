import { readdirSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { deadLetterQuery } from '../../delivery/dead-letters.ts';
import { settleInboxes } from '../../fleet/settle-inboxes.ts';
import type { Finding, LedgerReport } from '../../protocol/doctor.ts';
import { formatSize } from '../../shared/units.ts';
import type { DamagedRow } from '../../store/ledger.ts';
import type { DirectContext } from './context.ts';
import { retainNow } from './retain.ts';

/**
 * What is wrong with the ledger, what needs a person, and with `fix` what can be mended without
 * one.
 */
export async function doctor(
  context: DirectContext,
  options: { fix: boolean },
): Promise<LedgerReport> {
  const { ledger } = context;
  let report = await ledger.inspect();
  const fixed: string[] = [];
  // Nothing is written into a damaged ledger.
  if (report.damage.length === 0 && (await tidy(context, options.fix, fixed)) > 0) {
    const { bytes } = report;
    report = await ledger.inspect();
    if (report.bytes < bytes)
      fixed.push(`the ledger takes ${formatSize(report.bytes)} now, not ${formatSize(bytes)}`);
  }
  const folder = dirname(report.path);
  const now = context.surroundings.clock.now();
  const problems: Finding[] = [
    ...report.damage.map((damage) => ({
      what: `The ledger is damaged: ${damage}`,
      next: `Stop everything that uses it, keep a copy of ${folder}, and restore a sound one.`,
    })),
    ...report.damagedRows.map(describeDamagedRow),
  ];
  if (options.fix) removeDrafts(folder, report.path, now, fixed);
  const attention = await findAttention(context, report.messages['uncertain'] ?? 0);
  return {
    ok: problems.length === 0 && attention.length === 0,
    ledger: {
      path: report.path,
      exists: true,
      engine: report.engine,
      id: ledger.id,
      schema: report.schema,
      bytes: report.bytes,
      freeBytes: report.freeBytes,
      canShrink: report.canShrink,
      agents: report.agents,
      messages: report.messages,
    },
    problems,
    attention,
    fixed,
  };
}

/** One agent's trouble, or one message's: everything else goes on. */
function describeDamagedRow({ column, agent, message }: DamagedRow): Finding {
  if (agent !== undefined) {
    return {
      what: `The ledger's row of the agent ${agent} is damaged: ${column} cannot be read.`,
      next: `Remove it with \`signalbox rm ${agent}\` and launch it again.`,
    };
  }
  return {
    what: `The ledger's row of the message ${message} is damaged: ${column} cannot be read.`,
    next: `It is delivered without that; see \`signalbox explain ${message}\`.`,
  };
}

async function findAttention(
  { ledger }: DirectContext,
  uncertain: number,
): Promise<readonly Finding[]> {
  const dead = await ledger.read((tx) => tx.messages.count({ ...deadLetterQuery, limit: 0 }));
  const attention: Finding[] = [];
  if (dead > 0) {
    attention.push({
      what: `${count(dead, 'dead letter')}.`,
      next: 'See `signalbox dead-letters list`; retry or discard each.',
    });
  }
  if (uncertain > 0) {
    attention.push({
      what: `${count(uncertain, 'uncertain message')}.`,
      next: 'The next drain of that inbox hands them out again, marked; see `signalbox ls`.',
    });
  }
  return attention;
}

/**
 * Settles what is due, like every command that looks into inboxes: else a message whose taker died
 * would count as well carried. Only `fix` prunes. Returns how many messages changed.
 */
async function tidy(context: DirectContext, fix: boolean, fixed: string[]): Promise<number> {
  const { ledger } = context;
  const agents = await ledger.read((tx) => tx.agents.list());
  const settled = await settleInboxes(context, agents);
  if (settled > 0) fixed.push(`${count(settled, 'message')} settled that nobody carried any more`);
  if (!fix) return settled;
  return settled + (await retainNow(context, fixed));
}

/** Drafts of ledgers that a killed first start left. */
function removeDrafts(folder: string, path: string, now: number, fixed: string[]): void {
  if (!path) return;
  // A first start takes milliseconds; what is a minute old belongs to nobody any more.
  const stale = readdirSync(folder).filter(
    (name) =>
      name.startsWith(`${basename(path)}.new-`) &&
      now - (statSync(join(folder, name), { throwIfNoEntry: false })?.mtimeMs ?? now) > 60_000,
  );
  if (stale.length === 0) return;
  for (const name of stale) rmSync(join(folder, name), { force: true });
  fixed.push(`${count(stale.length, 'file')} removed that a killed first start had left`);
}

function count(n: number, what: string): string {
  return `${n} ${what}${n === 1 ? '' : 's'}`;
}

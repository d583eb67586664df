import type { Agent } from '../agents/agent.ts';
import { isConversationId } from '../agents/conversation-id.ts';
import type { Epoch } from '../agents/epoch.ts';
import type { Provider, WantedConversation } from '../providers/provider.ts';
import { reportBug } from '../shared/report-bug.ts';
import type { FleetParts } from './parts.ts';
import type { Roster } from './roster.ts';
import { runFolder } from './run-folder.ts';

/** What the next life goes on with. */
export interface Chosen {
  readonly resume: string | undefined;
  /** There was one, and nothing was ever said in it. */
  readonly isUnsaved: boolean;
}

/**
 * The conversation that the next life resumes (rule 37). CLIs end at once when they are told to
 * resume one that they have never saved: then a new one begins, but only if it is proven that
 * nothing of it was ever saved (rule 41). One that cannot be looked for, and one that had a turn
 * and is gone, are left to the CLI, whose refusal is shown.
 */
export async function chooseConversation(
  parts: FleetParts,
  roster: Roster,
  { agent, epoch }: { readonly agent: Agent; readonly epoch: Epoch },
  next: { readonly provider: Provider; readonly env: Readonly<Record<string, string>> },
): Promise<Chosen> {
  const last = roster.remains(agent.id, epoch.epoch);
  // It may have been learned since the row was read.
  const known = last?.conversation ?? epoch.conversation;
  const conversation = known !== undefined && isConversationId(known) ? known : undefined;
  if (conversation === undefined || !next.provider.findSaved) {
    return { resume: conversation, isUnsaved: false };
  }
  const resume = await findLast(next.provider, { conversation, cwd: agent.cwd, env: next.env });
  const resumed: Chosen = { resume, isUnsaved: false };
  // The life before may have written elsewhere than this one will.
  const before = last && leaveRunFolder(last.env, runFolder(parts, epoch));
  let isEmpty = false;
  for (const env of before && Object.keys(before).length > 0 ? [before, next.env] : [next.env]) {
    const found = await next.provider.findSaved({ conversation, cwd: agent.cwd, env });
    if (found === 'saved' || found === 'unknown') return resumed;
    isEmpty ||= found === 'empty';
  }
  const hadOne =
    last?.lastTurnIn === conversation || (await hadTurn(parts, agent, epoch, conversation));
  return isEmpty || !hadOne ? { resume: undefined, isUnsaved: true } : resumed;
}

/** Where it cannot be read which one was the last, the one it is known by is resumed. */
async function findLast(provider: Provider, wanted: WantedConversation): Promise<string> {
  const last = await provider
    .findLast?.(wanted)
    .catch((error) => reportBug('finding the last conversation', error));
  return last !== undefined && isConversationId(last) ? last : wanted.conversation;
}

/**
 * What the ledger knows of it: a turn that ended in it, or an earlier life that it was resumed
 * from.
 */
function hadTurn(
  { ledger }: FleetParts,
  { id }: Agent,
  { epoch }: Epoch,
  conversation: string,
): Promise<boolean> {
  return ledger.read(async (tx) => {
    if ((await tx.turns.countStops(id, conversation)) > 0) return true;
    return (await tx.epochs.find(id, epoch - 1))?.conversation === conversation;
  });
}

/**
 * What led into the folder of its run leads nowhere now; what it stood for is found by the other
 * variables.
 */
function leaveRunFolder(
  env: Readonly<Record<string, string>>,
  folder: string,
): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(env).filter(([, value]) => !value.startsWith(folder)));
}

import { type Agent, createPuller } from '../agents/agent.ts';
import { parseName } from '../agents/agent-name.ts';
import type { AddedRole } from '../agents/role.ts';
import type { Surroundings } from '../delivery/claim.ts';
import { truncate } from '../messages/truncate.ts';
import { Fault } from '../shared/fault.ts';
import { findGitRoot } from '../shared/git-root.ts';
import { createId } from '../shared/ids.ts';
import type { Ledger } from '../store/ledger.ts';
import { enterSession } from './choose-session.ts';
import { insertNumbered } from './insert-agent.ts';

/** Of a title, in bytes: it stands in a table and in the first line of a completion. */
const maxTitle = 200;

export interface WantedRun {
  readonly title: string;
  /** Undefined: that of the project of its folder. */
  readonly session: string | undefined;
  /** Undefined: the user is told. */
  readonly parent: string | undefined;
  readonly cwd: string;
  /** As with an agent that is added. */
  readonly role?: AddedRole;
}

/**
 * Writes down that a one-shot command is about to run, under this process (rule 32). It is an agent
 * without a terminal of ours, so that what it does is done in its own name, and its end is a
 * completion like any other.
 */
export async function beginRun(
  ledger: Ledger,
  { clock, host }: Surroundings,
  wanted: WantedRun,
): Promise<Agent> {
  const now = clock.now();
  const title = cleanTitle(wanted.title);
  const { parent, cwd, role } = wanted;
  const root = wanted.session === undefined ? findGitRoot(cwd) : undefined;
  const draft: Omit<Agent, 'name' | 'session'> = {
    ...createPuller(createId('agt', now), now),
    ...{ status: 'processing', source: 'process', detail: title },
    ...{ cwd, notify: true },
    ...(parent === undefined ? {} : { parent }),
    ...(role ? { role } : {}),
  };
  return ledger.write(async (tx) => {
    if (parent !== undefined && !(await tx.agents.isLiving(parent))) {
      throw new Fault('agent-not-found', 'That parent has been removed.', 'Name another, or none.');
    }
    const base = nameOf(title);
    const session = wanted.session ?? (await enterSession(tx, root));
    const agent = await insertNumbered(tx, { ...draft, session }, (n) =>
      n === 1 ? base : `${base}-${n}`,
    );
    await tx.runs.insert({ agent: agent.id, title, holder: host.identity, startedAt: now });
    return agent;
  });
}

/** One line, of what can be shown. */
function cleanTitle(text: string): string {
  const line = text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Surrogate}]+/gu, ' ').trim();
  return truncate(line, maxTitle).text || 'task';
}

/** The title as a name for an agent: `make test` becomes `make-test`. */
function nameOf(title: string): string {
  const plain = title
    .normalize('NFC')
    .replace(/[^\p{L}\p{M}\p{N}._-]+/gu, '-')
    .replace(/^[^\p{L}\p{N}]+/u, '');
  const name = [...plain]
    .slice(0, 40)
    .join('')
    .replace(/[-.]+$/, '');
  try {
    return parseName(name, 'agent');
  } catch (error) {
    // Nothing is left of it, or it is reserved.
    if (!(error instanceof Fault)) throw error;
    return 'task';
  }
}

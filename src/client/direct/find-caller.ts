import { type Agent, userAgentId } from '../../agents/agent.ts';
import { type Caller, createCaller } from '../../agents/caller.ts';
import { readTerminal } from '../../agents/epoch-terminal.ts';
import { resolveAgent } from '../../fleet/resolve-agent.ts';
import { hasControllingTerminal } from '../../shared/controlling-terminal.ts';
import { Fault } from '../../shared/fault.ts';
import type { Ledger, LedgerTransaction } from '../../store/ledger.ts';

/**
 * Who runs this command. On the ledger itself SIGNALBOX_AGENT is believed: a process that can read
 * the file could be anybody anyway.
 */
export async function findCaller(ledger: Ledger, env: NodeJS.ProcessEnv): Promise<Caller> {
  const agent = await ledger.read((tx) => findAgent(tx, env['SIGNALBOX_AGENT']));
  return createCaller(agent, hasControllingTerminal());
}

async function findAgent(tx: LedgerTransaction, reference: string | undefined): Promise<Agent> {
  if (!reference) return resolveAgent(tx, (await findTerminalOwner(tx)) ?? userAgentId);
  try {
    return await resolveAgent(tx, reference);
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    const message = `SIGNALBOX_AGENT does not name an agent: ${error.message}`;
    throw new Fault(error.code, message, error.next, { cause: error });
  }
}

/**
 * Whose terminal this is, for a program that was started without SIGNALBOX_AGENT (O9): an agent's
 * process among our ancestors says so. A pane that a person split off from an agent's is not its
 * terminal, and the person there is the user.
 */
async function findTerminalOwner(tx: LedgerTransaction): Promise<string | undefined> {
  const open = await tx.epochs.listOpen();
  const lives = open.filter(({ terminal }) => terminal !== undefined);
  // A row that cannot be read must not make the user of an agent: its processes say whose they are.
  const isUnsure = open.some(({ damaged }) => damaged?.includes('epochs.terminal'));
  if (lives.length === 0 && !isUnsure) return undefined;
  const { listAncestors } = await import('../../shared/process-tree.ts');
  const ancestors = new Set(listAncestors().map(({ pid, startedAt }) => `${pid} ${startedAt}`));
  const own = lives.find(({ terminal = '' }) => {
    const kept = readTerminal(terminal);
    return kept !== undefined && ancestors.has(`${kept.pid} ${kept.startedAt}`);
  });
  return own?.agent ?? (isUnsure ? findNamedAbove() : undefined);
}

/** The agent that the environment of a process above us names. */
async function findNamedAbove(): Promise<string | undefined> {
  const { listAncestors, readEnvironment } = await import('../../shared/process-tree.ts');
  for (const { pid } of listAncestors()) {
    // An environment that cannot be read (sshd, login) says nothing against the person.
    const named = readEnvironment(pid)?.['SIGNALBOX_AGENT'];
    if (named) return named;
  }
  return undefined;
}

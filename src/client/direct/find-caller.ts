import { type Agent, isUser, userAgentId } from '../../agents/agent.ts';
import { createCaller } from '../../agents/caller.ts';
import type { Epoch } from '../../agents/epoch.ts';
import { readTerminal } from '../../agents/epoch-terminal.ts';
import { callName } from '../../agents/reference.ts';
import { hashToken } from '../../agents/token.ts';
import { resolveAgent } from '../../fleet/resolve-agent.ts';
import { Fault } from '../../shared/fault.ts';
import { listAncestors, readEnvironment } from '../../shared/process-tree.ts';
import type { Ledger, LedgerTransaction } from '../../store/ledger.ts';
import { findHere } from '../launch-folder.ts';
import type { AgentClue, Judged } from './describe-judged.ts';
import { findObstacle, isHere } from './judge-user.ts';

type Env = Readonly<Record<string, string | undefined>>;

/**
 * Who runs this command (rule 52). Below an agent's process it is that agent, or one below it that
 * the environment names. Elsewhere the environment is believed: a process that left its agent's
 * tree is still that agent's. All else is the user, or a script of the user.
 */
export async function findCaller(ledger: Ledger, env: Env): Promise<Judged> {
  const { found, lives } = await ledger.read(async (tx) => {
    const open = await tx.epochs.listOpen();
    return { found: await findAgent(tx, env, open), lives: open };
  });
  const { agent, why } = found;
  if (!isUser(agent)) return { caller: createCaller(agent, false), ...(why ? { why } : {}) };
  const obstacle = findObstacle(env, lives);
  return {
    caller: createCaller(agent, obstacle === undefined, findHere()),
    ...(obstacle ? { why: obstacle } : {}),
  };
}

interface Found {
  readonly agent: Agent;
  readonly why?: AgentClue;
}

async function findAgent(tx: LedgerTransaction, env: Env, lives: readonly Epoch[]): Promise<Found> {
  const owner = findTerminalOwner(lives);
  const host = owner === undefined ? undefined : await resolveAgent(tx, owner);
  const named = await findNamed(tx, env);
  const name = env['SIGNALBOX_AGENT'] ? 'SIGNALBOX_AGENT' : 'SIGNALBOX_TOKEN';
  if (!host) {
    // Nobody becomes the user by saying so, below a process that says something else neither.
    if (named && !isUser(named)) return { agent: named, why: { kind: 'named', name } };
    return (await findAbove(tx)) ?? { agent: await resolveAgent(tx, userAgentId) };
  }
  const why = { kind: 'process' } as const;
  if (!named || isUser(named) || named.id === host.id) return { agent: host, why };
  if (await isBelow(tx, named, host)) return { agent: named, why };
  throw new Fault(
    'not-allowed',
    `This is a process of the agent "${callName(host)}", and SIGNALBOX_AGENT names "${callName(named)}".`,
    'Unset SIGNALBOX_AGENT, or name an agent below it.',
  );
}

/**
 * By its name, or by the token of its life. Undefined where the environment names nobody, or the
 * user: nobody becomes the user by saying so.
 */
async function findNamed(tx: LedgerTransaction, env: Env): Promise<Agent | undefined> {
  const { SIGNALBOX_AGENT: reference, SIGNALBOX_TOKEN: token } = env;
  const life = token ? await tx.epochs.findByTokenHash(hashToken(token)) : undefined;
  if (!reference) return life && (await resolveAgent(tx, life.agent));
  try {
    const agent = await resolveAgent(tx, reference);
    return isUser(agent) && life ? await resolveAgent(tx, life.agent) : agent;
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    const message = `SIGNALBOX_AGENT does not name ${error.code === 'name-ambiguous' ? 'one' : 'an'} agent: ${error.message}`;
    throw new Fault(error.code, message, error.next, { cause: error });
  }
}

/**
 * An agent's process among our ancestors. A pane that a person split off from an agent's is not its
 * terminal, and the person there is the user.
 */
function findTerminalOwner(lives: readonly Epoch[]): string | undefined {
  if (lives.length === 0) return undefined;
  const above = new Set(listAncestors().map(({ pid, startedAt }) => `${pid} ${startedAt}`));
  return lives.find(({ terminal = '' }) => {
    const kept = readTerminal(terminal);
    return kept && isHere(kept.pidSpace) && above.has(`${kept.pid} ${kept.startedAt}`);
  })?.agent;
}

/**
 * The agent that the environment of a process above us names: ours may have been emptied
 * (`env -i`), and the row of its terminal may be damaged.
 */
async function findAbove(tx: LedgerTransaction): Promise<Found | undefined> {
  for (const { pid } of listAncestors()) {
    // An environment that cannot be read (sshd, login) says nothing against the person.
    const env = readEnvironment(pid);
    if (!env?.['SIGNALBOX_AGENT'] && !env?.['SIGNALBOX_TOKEN']) continue;
    const named = await findNamed(tx, env).catch(unlessFault);
    const name = env['SIGNALBOX_AGENT'] ? 'SIGNALBOX_AGENT' : 'SIGNALBOX_TOKEN';
    if (named && !isUser(named)) return { agent: named, why: { kind: 'named', name, pid } };
  }
  return undefined;
}

/**
 * It names an agent of another ledger, or one that was removed. Of several agents it names one that
 * nobody can tell, and certainly not the user.
 */
function unlessFault(error: unknown): undefined {
  if (!(error instanceof Fault) || error.code === 'name-ambiguous') throw error;
  return undefined;
}

async function isBelow(tx: LedgerTransaction, agent: Agent, host: Agent): Promise<boolean> {
  const seen = new Set<string>();
  for (let at: Agent | undefined = agent; at?.parent !== undefined && !seen.has(at.id); ) {
    if (at.parent === host.id) return true;
    seen.add(at.id);
    at = await tx.agents.find(at.parent);
  }
  return false;
}

import { tellQuestion } from '../agents/describe-question.ts';
import { callName } from '../agents/reference.ts';
import type { Client } from '../client/client.ts';
import type { AgentName, AgentView } from '../protocol/agents.ts';
import { Fault } from '../shared/fault.ts';
import { formatSpan } from '../shared/units.ts';
import { writeError } from './output.ts';
import { Progress } from './progress.ts';
import { Ring } from './ring.ts';
import { catchInterrupt } from './tell-questions.ts';

/** A CLI is up within 3 s as a rule; whoever waits longer had better look. */
const startMs = 10_000;

/**
 * Waits until an agent that was just launched is idle, waits for a person or has ended, for 10 s at
 * most (rule 48). One that has ended is a fault with its last words. Undefined where the daemon is
 * lost meanwhile: the agent was launched, and lives on.
 */
export async function awaitStart(
  client: Client,
  launched: AgentName,
  { json, more }: StartWait,
): Promise<AgentView | undefined> {
  const name = callName(launched);
  const progress = new Progress(json);
  const leave = catchInterrupt(() => {
    progress.clear();
    writeError(
      `signalbox: ${name} was launched and stays. See it with \`signalbox attach ${name}\`; \`signalbox stop ${name}\` ends it.${more === undefined ? '' : ` ${more}.`}`,
    );
  });
  progress.show(`waiting until ${name} is ready`);
  try {
    const agent = await client.awaitLaunch(launched.id, startMs);
    progress.clear();
    if (agent.status === 'waiting')
      await new Ring(2, json).ring(tellQuestion(agent, callName(agent)));
    return agent;
  } catch (error) {
    const isLost = error instanceof Fault && lostCodes.includes(error.code);
    if (!isLost) throw error;
    progress.clear();
    writeError(`signalbox: ${name} was launched. ${error.message} ${error.next}`);
    return undefined;
  } finally {
    leave();
    progress.clear();
  }
}

interface StartWait {
  readonly json: boolean;
  /** What Ctrl-C says beside how to end the agent. */
  readonly more?: string;
}

/** The daemon's trouble, not the agent's. */
const lostCodes: readonly string[] = ['daemon-unavailable', 'timed-out', 'protocol-mismatch'];

/** What has become of it, as a line of its own. */
export function describeStart(agent: AgentView, name = callName(agent)): string {
  const { status } = agent;
  switch (status) {
    case 'waiting':
      return tellQuestion(agent, name);
    case 'starting':
      return `${name} is not ready after ${formatSpan(startMs)} → signalbox attach ${name}`;
    case 'unknown':
      return `${name} runs; signalbox cannot tell whether it is ready`;
    case 'processing':
      return `${name} is at work`;
    default:
      return `${name} is ${status === 'idle' ? 'ready' : status}`;
  }
}

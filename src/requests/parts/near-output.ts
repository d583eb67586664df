import { type Agent, isUser } from '../../agents/agent.ts';
import { callName, nameFor } from '../../agents/reference.ts';
import type { AgentOutput, OutputMode } from '../../fleet/fleet.ts';
import { requireDescendant } from '../../fleet/resolve-agent.ts';
import { Fault } from '../../shared/fault.ts';
import type { LedgerTransaction } from '../../store/ledger.ts';

/**
 * What one agent may read of another's terminal, by the tool `get_output` and over HTTP alike: of
 * its own session or below it, the last answer or the screen, at most this many bytes from the end.
 */
const mostOutputBytes = 16 * 1024;

/** Others of the user's sessions are none of its business. */
export async function requireNear(
  tx: LedgerTransaction,
  caller: Agent,
  agent: Agent,
): Promise<void> {
  if (isUser(caller) || agent.id === caller.id || agent.session === caller.session) return;
  try {
    await requireDescendant(tx, caller, agent);
  } catch (error) {
    // Only a refusal says that it is not near; a busy ledger or a mistake of ours says nothing of
    // the kind.
    if (!(error instanceof Fault) || error.code !== 'not-allowed') throw error;
    throw new Fault(
      'not-allowed',
      `"${nameFor(caller, agent)}" is neither in your session ("${caller.session}") nor below you.`,
      'Ask it with send_message.',
    );
  }
}

/**
 * Everything that a terminal still holds is for the user: a person may have typed a secret long
 * before.
 */
export function requireModeFor(caller: Agent, mode: OutputMode): void {
  if (isUser(caller) || mode !== 'full') return;
  throw new Fault(
    'not-allowed',
    `You are the agent "${callName(caller)}", and may read the last answer of others or their screen, not their scrollback.`,
    'Ask for the mode `last` or `screen`.',
  );
}

/** As an agent gets it: its end. Where its beginning is cut off, it is `partial`. */
export function limitOutput(read: AgentOutput): {
  readonly output: AgentOutput;
  readonly isCut: boolean;
} {
  const { text, isCut } = cutStart(read.text);
  const isLess = isCut && read.response === 'complete';
  return { output: { ...read, text, ...(isLess ? { response: 'partial' } : {}) }, isCut };
}

function cutStart(text: string): { readonly text: string; readonly isCut: boolean } {
  const whole = Buffer.from(text);
  if (whole.length <= mostOutputBytes) return { text, isCut: false };
  let from = whole.length - mostOutputBytes;
  // Over continuation bytes (10xxxxxx) of a character that was cut.
  while (((whole[from] ?? 0) & 0xc0) === 0x80) from++;
  return { text: whole.toString('utf8', from), isCut: true };
}

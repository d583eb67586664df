import { callName } from '../agents/reference.ts';
import { requirePerson } from '../fleet/permissions.ts';
import { resolveAgent } from '../fleet/resolve-agent.ts';
import type { InterruptView } from '../protocol/interrupt.ts';
import { nameView } from '../protocol/views.ts';
import { Fault } from '../shared/fault.ts';
import { joinSignals } from '../shared/join-signals.ts';
import { formatSpan } from '../shared/units.ts';
import type { LiveContext } from './context.ts';
import { defineRequest } from './define.ts';
import { followRunning, listRunning } from './parts/follow-running.ts';
import { recordInterruption } from './parts/record-interruption.ts';

export interface InterruptWish {
  readonly agent: string;
  /** For the record, as the user's own command says it. */
  readonly who?: string | undefined;
  /** For proof that its turn has ended. */
  readonly timeoutMs: number;
  /** The client has gone. */
  readonly gone: AbortSignal;
}

/**
 * Ends the turn of an agent, as its person's Esc would. For the person alone, as that key is
 * (rule 54). It never takes the agent's project from the folder: what ends something must not
 * depend on where somebody stands.
 */
export const interrupt = defineRequest(
  async (context: LiveContext, caller, wish: InterruptWish): Promise<InterruptView> => {
    const { ledger, live, surroundings } = context;
    requirePerson(caller, 'interrupt an agent');
    const { clock } = surroundings;
    const agent = await ledger.read((tx) => resolveAgent(tx, wish.agent, { agent: caller.agent }));
    const record = recordInterruption(context, agent, { by: caller.agent.id, who: wish.who });
    let running: readonly string[] = [];
    const begin = async (): Promise<void> => {
      running = await listRunning(context, agent);
      await record.begin(running);
    };
    const startedMs = clock.monotonicMs();
    const { signal, leave } = joinSignals([wish.gone, live.ending]);
    try {
      const order = { limitMs: wish.timeoutMs, signal, begin };
      const done = await live.fleet.interrupt(agent.id, order).catch(async (error: unknown) => {
        // Once something was pressed, none is thrown.
        const reason = error instanceof Error ? error.message : String(error);
        const outcome = error instanceof Fault ? 'refused' : 'unknown';
        await record.end({ outcome, reason, presses: 0 });
        throw error;
      });
      const { by: way, presses } = done;
      await record.end({ outcome: done.isProven ? 'ended' : 'unproven', way, presses });
      context.log?.info({ agent: agent.id, by: done.by }, 'its user ended its turn');
      if (!done.isProven) throw unproven(callName(agent), done, wish.timeoutMs);
      const leftMs = wish.timeoutMs - (clock.monotonicMs() - startedMs);
      const told = await followRunning(context, agent, { running, leftMs, signal });
      const { status } = done.view;
      const asked = done.hasAsked ? { hasAsked: true as const } : {};
      return { ...nameView(agent), by: way, presses, status, ...asked, ...told };
    } finally {
      leave();
    }
  },
);

function unproven(
  name: string,
  { by, presses, view }: Awaited<ReturnType<LiveContext['live']['fleet']['interrupt']>>,
  limitMs: number,
): Fault {
  const did = by === 'api' ? 'was told to stop' : `got Esc ${presses === 1 ? 'once' : 'twice'}`;
  const next = `Look before you ask again: \`signalbox attach ${name}\`.`;
  if (view.status === 'exited') {
    return new Fault('agent-exited', `"${name}" ${did}, and its process has ended.`, next);
  }
  const does = {
    processing: 'still works, or works again',
    waiting: `asks a person something (${view.detail ?? 'a dialog'})`,
  }[view.status as string];
  return new Fault(
    'timed-out',
    `"${name}" ${did}, and nothing has shown within ${formatSpan(limitMs)} that its turn ended: it ${does ?? `counts as ${view.status}`}.`,
    next,
  );
}

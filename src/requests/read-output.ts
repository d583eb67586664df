import { isUser } from '../agents/agent.ts';
import { resolveAgent } from '../fleet/resolve-agent.ts';
import type { OutputMode, OutputView } from '../protocol/terminals.ts';
import { nameView } from '../protocol/views.ts';
import type { LiveContext } from './context.ts';
import { defineRequest } from './define.ts';
import { limitOutput, requireModeFor, requireNear } from './parts/near-output.ts';

export interface OutputWish {
  readonly agent: string;
  readonly mode: OutputMode;
  readonly signal: AbortSignal;
}

export interface ReadOutput {
  readonly output: OutputView;
  /** Its beginning was left out, since an agent asks. */
  readonly isCut: boolean;
}

/** What an agent said or shows. An agent reads others within bounds (`near-output.ts`). */
export const readOutput = defineRequest(
  async (context: LiveContext, asker, wish: OutputWish): Promise<ReadOutput> => {
    const { ledger, live } = context;
    const caller = asker.agent;
    const { mode, signal } = wish;
    const agent = await ledger.read(async (tx) => {
      const found = await resolveAgent(tx, wish.agent, asker);
      await requireNear(tx, caller, found);
      return found;
    });
    requireModeFor(caller, mode);
    const read = await live.fleet.output(agent.id, mode, signal);
    const { output, isCut } = isUser(caller) ? { output: read, isCut: false } : limitOutput(read);
    return { output: { agent: nameView(agent), mode, ...output }, isCut };
  },
);

import { isUser } from '../agents/agent.ts';
import { resolveAgent } from '../fleet/resolve-agent.ts';
import type { OutputMode, OutputView } from '../protocol/terminals.ts';
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
  async (context: LiveContext, { agent: caller }, wish: OutputWish): Promise<ReadOutput> => {
    const { ledger, live } = context;
    const { mode, signal } = wish;
    const { id, name } = await ledger.read(async (tx) => {
      const agent = await resolveAgent(tx, wish.agent, caller);
      await requireNear(tx, caller, agent);
      return agent;
    });
    requireModeFor(caller, mode);
    const read = await live.fleet.output(id, mode, signal);
    const { output, isCut } = isUser(caller) ? { output: read, isCut: false } : limitOutput(read);
    return { output: { agent: { id, name }, mode, ...output }, isCut };
  },
);

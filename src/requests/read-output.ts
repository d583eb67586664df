import { type Agent, isUser } from '../agents/agent.ts';
import type { Caller } from '../agents/caller.ts';
import { nameFor } from '../agents/reference.ts';
import { resolveAgent } from '../fleet/resolve-agent.ts';
import type { OutputMode, OutputView } from '../protocol/terminals.ts';
import { nameView } from '../protocol/views.ts';
import { Fault } from '../shared/fault.ts';
import type { LiveContext } from './context.ts';
import { defineRequest } from './define.ts';
import { limitOutput, requireModeFor, requireNear } from './parts/near-output.ts';
import { QuestionReader } from './parts/read-questions.ts';

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

/** Its screen has the question then, which is not for all (`parts/read-questions.ts`). */
async function requireNoDialog(
  { ledger, live }: LiveContext,
  asker: Caller,
  agent: Agent,
): Promise<void> {
  if (live.fleet.live(agent.id)?.status !== 'waiting') return;
  if (await ledger.read((tx) => new QuestionReader(tx, asker).mayRead(agent.id))) return;
  throw new Fault(
    'not-allowed',
    `"${nameFor(asker.agent, agent)}" asks its user something, and only those above it may read that.`,
    'Ask again when it goes on.',
  );
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
    if (mode === 'screen') await requireNoDialog(context, asker, agent);
    const read = await live.fleet.output(agent.id, mode, signal);
    const { output, isCut } = isUser(caller) ? { output: read, isCut: false } : limitOutput(read);
    return { output: { agent: nameView(agent), mode, ...output }, isCut };
  },
);

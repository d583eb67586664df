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

/** What was drawn has the question then, which is not for all (`parts/read-questions.ts`). */
async function requireReader({ ledger }: LiveContext, asker: Caller, agent: Agent): Promise<void> {
  if (await ledger.read((tx) => new QuestionReader(tx, asker).mayRead(agent.id))) return;
  throw new Fault(
    'not-allowed',
    `"${nameFor(asker.agent, agent)}" asks its user something, and only those above it may read that.`,
    'Ask again when it goes on.',
  );
}

const drawn: ReadonlySet<string | undefined> = new Set(['screen', 'scrollback']);

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
    const isAsking = (): boolean => live.fleet.live(agent.id)?.status === 'waiting';
    const hasAsked = isAsking();
    if (mode === 'screen' && hasAsked) await requireReader(context, asker, agent);
    const { asks, ...read } = await live.fleet.output(agent.id, mode, signal);
    // It may have come, or gone, while that was read.
    const isOfTerminal = read.text !== '' && drawn.has(read.searched.at(-1));
    if (isOfTerminal && (hasAsked || asks || isAsking())) {
      await requireReader(context, asker, agent);
    }
    const { output, isCut } = isUser(caller) ? { output: read, isCut: false } : limitOutput(read);
    return { output: { agent: nameView(agent), mode, ...output }, isCut };
  },
);

import type { Caller } from '../../agents/caller.ts';
import { isBelow } from '../../fleet/resolve-agent.ts';
import type { AgentView } from '../../protocol/agents.ts';
import type { LedgerTransaction } from '../../store/ledger.ts';

/**
 * Who may read what an agent asks. The words of a question are the input of a tool: a command with
 * its secrets, a file that is not written yet. They are for the user, who decides, and for those
 * above the agent, who answer for it. All other agents are told only that it waits.
 */
export class QuestionReader {
  readonly #tx: LedgerTransaction;
  readonly #caller: Caller;
  /** Events of one agent come many at a time. */
  readonly #known = new Map<string, boolean>();

  constructor(tx: LedgerTransaction, caller: Caller) {
    this.#tx = tx;
    this.#caller = caller;
  }

  async mayRead(agent: string): Promise<boolean> {
    const { kind, agent: caller } = this.#caller;
    if (kind !== 'agent' || agent === caller.id) return true;
    const known = this.#known.get(agent);
    if (known !== undefined) return known;
    const row = await this.#tx.agents.find(agent);
    const may = row !== undefined && (await isBelow(this.#tx, caller, row));
    this.#known.set(agent, may);
    return may;
  }

  /** Whole texts, and who has answered, are for `show-questions.ts` and the user. */
  async view(view: AgentView): Promise<AgentView> {
    if (this.#caller.kind !== 'agent') return view;
    const { questions: _, answers: __, ...rest } = view;
    const { question: ___, ...waits } = rest;
    return rest.question === undefined || (await this.mayRead(view.id)) ? rest : waits;
  }

  /** The same of the data of an event. */
  async data(
    agent: string | undefined,
    data: Readonly<Record<string, unknown>>,
  ): Promise<Readonly<Record<string, unknown>>> {
    if (this.#caller.kind !== 'agent') return data;
    const { questions: _, ...rest } = data;
    const { question: __, ...waits } = rest;
    const isOpen = !('question' in rest) || (agent !== undefined && (await this.mayRead(agent)));
    return isOpen ? rest : waits;
  }
}

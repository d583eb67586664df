import { type Agent, isUser } from '../../agents/agent.ts';
import type { AgentView } from '../../protocol/agents.ts';
import type { LedgerTransaction } from '../../store/ledger.ts';

/** In characters: enough to know which task it is. */
const mostWords = 80;

/**
 * Says of each debt what it is about, in the first words of the task. The user sees them all, an
 * agent those of its own debts and tasks: other messages are not its to read.
 */
export async function nameDebts(
  tx: LedgerTransaction,
  caller: Agent,
  views: readonly AgentView[],
): Promise<readonly AgentView[]> {
  const maySee = (debtor: string, creditor: string): boolean =>
    isUser(caller) || debtor === caller.id || creditor === caller.id;
  const name = async (view: AgentView): Promise<AgentView> => {
    if (view.owes === undefined) return view;
    const owes = view.owes.map(async (debt) => {
      if (!maySee(view.id, debt.to.id)) return debt;
      const about = firstWords((await tx.messages.find(debt.task))?.body ?? '');
      return about === '' ? debt : { ...debt, about };
    });
    return { ...view, owes: await Promise.all(owes) };
  };
  return Promise.all(views.map(name));
}

function firstWords(body: string): string {
  const line = body.trimStart().split('\n', 1)[0] ?? '';
  const characters = [...line.trimEnd()];
  if (characters.length <= mostWords) return characters.join('');
  return `${characters.slice(0, mostWords - 1).join('')}…`;
}

import type { Agent } from '../agents/agent.ts';
import type { Epoch } from '../agents/epoch.ts';
import type { Verdict } from '../agents/status.ts';
import type { Provider } from '../providers/provider.ts';
import type { Backend, Look } from '../terminals/backend.ts';
import type { Terminal } from '../terminals/terminal.ts';

/** One epoch of an agent, in its terminal. */
export interface Life {
  readonly agent: Agent;
  readonly epoch: Epoch;
  /** The one that its epoch names. */
  readonly backend: Backend;
  readonly terminal: Terminal;
  readonly provider: Provider;
  readonly detect: (look: Look) => Verdict;
  /** Where the tasks that it owed when it was found were taken. */
  readonly owedReceipts?: readonly string[];
  /** The environment that it was started with, where this daemon did it. */
  readonly given?: Readonly<Record<string, string>>;
}

/** What is known of a life beside the ledger, also when it has ended. */
export interface Remains {
  readonly conversation: string | undefined;
  /** In which conversation its last turn ended. */
  readonly lastTurnIn: string | undefined;
  readonly env: Readonly<Record<string, string>>;
}

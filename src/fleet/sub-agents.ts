import type { AgentStatus } from '../agents/agent.ts';
import { isAtRest } from '../agents/remember-turn.ts';
import type { Verdict } from '../agents/status.ts';
import type { BesideRest } from '../delivery/recipient.ts';
import type { SubAgentNews } from '../providers/provider.ts';

/**
 * The sub-agents that work beside one agent, by what its hooks tell. It forgets them with the
 * daemon. Of an agent that another daemon has launched nobody knows them until the next end of a
 * turn, which lists all: until then the screen tells that some work, and the CLI's own word, which
 * is busy beside a screen at rest (Claude Code 2.1.325; a shell that runs beside it leaves it
 * idle).
 */
export class SubAgents {
  #running: ReadonlySet<string> = new Set();
  #restSince: number | undefined;
  #isListed: boolean;

  constructor({ isFoundAgain = false }: { readonly isFoundAgain?: boolean } = {}) {
    this.#isListed = !isFoundAgain;
  }

  /** True when that changes how many there are, or are known. */
  take(news: SubAgentNews): boolean {
    const before = this.#count;
    const isKnown = this.#isListed;
    this.#running = next(this.#running, news);
    if ('running' in news) this.#isListed = true;
    return this.#count !== before || this.#isListed !== isKnown;
  }

  /**
   * How many work beside a conversation that rests itself. Claude Code 2.1.325 calls itself busy
   * while one works, so the screen decides: it shows the composer of an agent at rest.
   */
  beside(
    status: AgentStatus,
    { status: shown, beside }: Partial<Pick<Verdict, 'status' | 'beside'>>,
    now: number,
  ): BesideRest | undefined {
    const isBusy = status === 'processing' && shown !== undefined && isAtRest(shown);
    const isSeen = isBusy || beside === 'sub-agents';
    const isBeside = this.#count > 0 || (!this.#isListed && isSeen);
    const rests = isAtRest(status) || isBusy;
    this.#restSince = rests && isBeside ? (this.#restSince ?? now) : undefined;
    if (this.#restSince === undefined) return undefined;
    return { count: this.#isListed ? this.#count : undefined, since: this.#restSince };
  }

  get #count(): number {
    return this.#running.size;
  }
}

function next(running: ReadonlySet<string>, news: SubAgentNews): ReadonlySet<string> {
  if ('running' in news) return new Set(news.running);
  if ('began' in news) return new Set([...running, news.began]);
  return new Set([...running].filter((id) => id !== news.ended));
}

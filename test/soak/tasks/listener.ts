import type { LoggedRequest } from '../../lab/mock-llm/request-log.ts';
import { readEntries } from '../../lab/team/conversation-of.ts';
import { type Copy, copiesIn } from '../../lab/team/judge-answers.ts';
import type { Heard } from './account.ts';
import type { Crew } from './crew.ts';

/**
 * Reads what the models get, request by request: old bodies are dropped. A conversation grows, so
 * the newest request of a giver holds all that it ever got.
 */
export class Listener {
  readonly #crew: Crew;
  readonly #copies = new Map<string, readonly Copy[]>();
  readonly #prompts = new Set<string>();
  #read = 0;

  constructor(crew: Crew) {
    this.#crew = crew;
  }

  look(): void {
    const { requests } = this.#crew.mock;
    for (; this.#read < requests.length; this.#read++) {
      const request = requests[this.#read];
      if (request && !request.isSide) this.#take(request);
    }
  }

  get heard(): Heard {
    this.look();
    return { copies: this.#copies, prompts: [...this.#prompts] };
  }

  #take(request: LoggedRequest): void {
    const giver = this.#crew.givers.find(({ opener }) => request.body.includes(opener));
    if (giver) this.#copies.set(giver.name, copiesIn(request));
    else this.#prompts.add(unanswered(request));
  }
}

/** All that was said to a model since its last words. */
function unanswered(request: LoggedRequest): string {
  const entries = readEntries(request);
  const last = entries.findLastIndex(({ kind }) => kind !== 'user');
  return entries
    .slice(last + 1)
    .flatMap((entry) => (entry.kind === 'user' ? entry.text : []))
    .join('\n');
}

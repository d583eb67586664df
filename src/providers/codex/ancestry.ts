import { asText, type Json } from '../../shared/json.ts';

/** Which threads work for which others: those of sub-agents name their parent (0.166.0). */
export class Ancestry {
  readonly #parents = new Map<string, string>();

  note(id: string, description: Json): void {
    const parent = asText(description['parentThreadId']);
    if (parent !== undefined) this.#parents.set(id, parent);
  }

  /** However far below; `same`: it is that thread itself. */
  place(id: string, above: string): 'same' | 'below' | undefined {
    const seen = new Set<string>();
    for (let at: string | undefined = id; at !== undefined && !seen.has(at); ) {
      if (at === above) return seen.size === 0 ? 'same' : 'below';
      seen.add(at);
      at = this.#parents.get(at);
    }
    return undefined;
  }

  clear(): void {
    this.#parents.clear();
  }
}

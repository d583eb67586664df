import type { Epoch } from '../../agents/epoch.ts';
import type { EpochEnd, EpochStore } from '../../agents/epoch-store.ts';
import type { Tables } from './tables.ts';

export class MemoryEpochStore implements EpochStore {
  readonly #tables: Tables;

  constructor(tables: Tables) {
    this.#tables = tables;
  }

  async insert(epoch: Epoch): Promise<void> {
    const key = keyOf(epoch.agent, epoch.epoch);
    if (this.#tables.epochs.has(key)) throw new Error(`epoch ${key} is there already`);
    this.#tables.set(this.#tables.epochs, key, epoch);
  }

  async find(agent: string, epoch: number): Promise<Epoch | undefined> {
    return this.#tables.epochs.get(keyOf(agent, epoch));
  }

  async findByTokenHash(hash: string): Promise<Epoch | undefined> {
    return [...this.#tables.epochs.values()].find((epoch) => epoch.tokenHash === hash);
  }

  async listOpen(): Promise<readonly Epoch[]> {
    return [...this.#tables.epochs.values()]
      .filter((epoch) => epoch.endedAt === undefined)
      .sort((a, b) => (a.agent < b.agent ? -1 : 1));
  }

  async setTerminal(agent: string, epoch: number, terminal: string): Promise<void> {
    this.#change(agent, epoch, { terminal });
  }

  async setConversation(
    agent: string,
    epoch: number,
    conversation: string,
    since?: number,
  ): Promise<void> {
    const changed = since === undefined ? {} : { conversationSince: since };
    this.#change(agent, epoch, { conversation, ...changed });
  }

  async loseTools(port: number, at: number): Promise<number> {
    const open = await this.listOpen();
    const meant = open.filter((life) => life.toolsPort === port && life.toolsLostAt === undefined);
    for (const { agent, epoch } of meant) this.#change(agent, epoch, { toolsLostAt: at });
    return meant.length;
  }

  async end(agent: string, epoch: number, end: EpochEnd): Promise<boolean> {
    const found = await this.find(agent, epoch);
    if (!found || found.endedAt !== undefined) return false;
    const { at: endedAt, cause: endCause, ...exit } = end;
    this.#change(agent, epoch, { endedAt, endCause, ...exit });
    return true;
  }

  async prune(before: number, limit: number): Promise<number> {
    const { agents, epochs } = this.#tables;
    const isOpen = (agent: string): boolean =>
      this.#tables.listOpen(agent).some(({ state }) => state !== 'queued');
    const old = [...epochs].filter(
      ([, { agent, epoch, endedAt = before }]) =>
        endedAt < before && epoch < (agents.get(agent)?.epoch ?? 0) - 1 && !isOpen(agent),
    );
    for (const [key] of old.slice(0, limit)) this.#tables.delete(epochs, key);
    return Math.min(old.length, limit);
  }

  #change(agent: string, epoch: number, change: Partial<Epoch>): void {
    const key = keyOf(agent, epoch);
    const found = this.#tables.epochs.get(key);
    if (found) this.#tables.set(this.#tables.epochs, key, { ...found, ...change });
  }
}

function keyOf(agent: string, epoch: number): string {
  return `${agent}/${epoch}`;
}

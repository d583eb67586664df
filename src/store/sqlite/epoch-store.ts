import type { Epoch } from '../../agents/epoch.ts';
import type { EpochEnd, EpochStore } from '../../agents/epoch-store.ts';
import type { Connection } from './connection.ts';
import { type EpochRow, toEpoch } from './rows.ts';

export class SqliteEpochStore implements EpochStore {
  readonly #db: Connection;

  constructor(db: Connection) {
    this.#db = db;
  }

  async insert(epoch: Epoch): Promise<void> {
    this.#db.statement(insertEpoch).run({
      ...epoch,
      providerVersion: epoch.providerVersion ?? null,
      terminal: epoch.terminal ?? null,
      model: epoch.model ?? null,
      conversation: epoch.conversation ?? null,
      umask: epoch.umask ?? null,
      toolsPort: epoch.toolsPort ?? null,
      argv: JSON.stringify(epoch.argv),
      extraArgs: JSON.stringify(epoch.extraArgs),
    });
  }

  async find(agent: string, epoch: number): Promise<Epoch | undefined> {
    const row = this.#db.statement(selectEpoch).get(agent, epoch) as EpochRow | undefined;
    return row && toEpoch(row);
  }

  async findByTokenHash(hash: string): Promise<Epoch | undefined> {
    const row = this.#db.statement(selectByToken).get(hash) as EpochRow | undefined;
    return row && toEpoch(row);
  }

  async listOpen(): Promise<readonly Epoch[]> {
    return (this.#db.statement(selectOpen).all() as EpochRow[]).map(toEpoch);
  }

  async setTerminal(agent: string, epoch: number, terminal: string): Promise<void> {
    this.#db.statement(updateTerminal).run(terminal, agent, epoch);
  }

  async setConversation(
    agent: string,
    epoch: number,
    conversation: string,
    since?: number,
  ): Promise<void> {
    this.#db.statement(updateConversation).run(conversation, since ?? null, agent, epoch);
  }

  async loseTools(port: number, at: number): Promise<number> {
    return this.#db.statement(updateToolsLost).run(at, port).changes;
  }

  async end(agent: string, epoch: number, end: EpochEnd): Promise<boolean> {
    const { changes } = this.#db.statement(updateEnd).run({
      ...end,
      agent,
      epoch,
      exitCode: end.exitCode ?? null,
      exitSignal: end.exitSignal ?? null,
    });
    return changes === 1;
  }

  async prune(before: number, limit: number): Promise<number> {
    return this.#db.statement(deleteOld).run({ before, limit }).changes;
  }
}

const insertEpoch = `
  insert into epochs (agent, epoch, backend, provider, provider_version, terminal, argv, extra_args, model, conversation,
    token_hash, started_at, umask, tools_port)
  values (@agent, @epoch, @backend, @provider, @providerVersion, @terminal, @argv, @extraArgs, @model, @conversation,
    @tokenHash, @startedAt, @umask, @toolsPort)`;
const selectEpoch = 'select * from epochs where agent = ? and epoch = ?';
const selectByToken = 'select * from epochs where token_hash = ?';
const selectOpen = 'select * from epochs where ended_at is null order by agent';
const updateTerminal = 'update epochs set terminal = ? where agent = ? and epoch = ?';
const updateConversation = `
  update epochs set conversation = ?, conversation_since = coalesce(?, conversation_since)
  where agent = ? and epoch = ?`;
const updateToolsLost = `
  update epochs set tools_lost_at = ? where tools_port = ? and ended_at is null and tools_lost_at is null`;
const updateEnd = `
  update epochs set ended_at = @at, end_cause = @cause, exit_code = @exitCode, exit_signal = @exitSignal
  where agent = @agent and epoch = @epoch and ended_at is null`;
// The last one but one is asked for by a restart (`fleet/choose-conversation.ts`), earlier ones by
// what is still open in them.
const deleteOld = `
  delete from epochs where (agent, epoch) in (
    select epochs.agent, epochs.epoch from epochs join agents on agents.id = epochs.agent
    where epochs.ended_at < @before and epochs.epoch < agents.epoch - 1
      and not exists (select 1 from messages where recipient = agents.id and state in ('claimed', 'uncertain'))
      and not exists (
        select 1 from messages where recipient = agents.id and state = 'injected' and is_end = 0)
    limit @limit)`;

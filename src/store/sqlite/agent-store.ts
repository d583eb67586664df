import type { Agent } from '../../agents/agent.ts';
import type { AgentStore, KnownStatus } from '../../agents/agent-store.ts';
import type { Worktree } from '../../agents/role.ts';
import type { Connection } from './connection.ts';
import { forgetAgent, listForgettable } from './forget-agent.ts';
import { type AgentRow, toAgent } from './rows.ts';

export class SqliteAgentStore implements AgentStore {
  readonly #db: Connection;

  constructor(db: Connection) {
    this.#db = db;
  }

  async insert(agent: Agent): Promise<Agent | undefined> {
    const { changes } = this.#db.statement(insertAgent).run({
      ...agent,
      detail: agent.detail ?? null,
      parent: agent.parent ?? null,
      notify: agent.notify ? 1 : 0,
      role: agent.role ? JSON.stringify(agent.role) : null,
      worktree: agent.worktree ? JSON.stringify(agent.worktree) : null,
    });
    return changes === 1 ? agent : undefined;
  }

  async find(id: string): Promise<Agent | undefined> {
    return this.#one(selectById, id);
  }

  async isLiving(id: string): Promise<boolean> {
    return this.#db.statement(selectIsLiving).get(id) !== undefined;
  }

  async findByName(name: string): Promise<Agent | undefined> {
    return this.#one(selectByName, name);
  }

  async list(session?: string): Promise<readonly Agent[]> {
    const rows = this.#db.statement(selectLiving).all({ session: session ?? null }) as AgentRow[];
    return rows.map(toAgent);
  }

  async listNames(ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const names = new Map<string, string>();
    for (const id of new Set(ids)) {
      const row = this.#db.statement(selectById).get(id) as AgentRow | undefined;
      if (row) names.set(id, row.name);
    }
    return names;
  }

  async setParent(id: string, parent: string | undefined): Promise<void> {
    this.#db.statement(updateParent).run(parent ?? null, id);
  }

  async listChildren(parent: string): Promise<readonly Agent[]> {
    return (this.#db.statement(selectChildren).all(parent) as AgentRow[]).map(toAgent);
  }

  async setWorktree(id: string, worktree: Worktree, cwd: string): Promise<void> {
    this.#db.statement(updateWorktree).run({ id, worktree: JSON.stringify(worktree), cwd });
  }

  async setEpoch(id: string, epoch: number): Promise<void> {
    this.#db.statement(updateEpoch).run(epoch, id);
  }

  async setStatus(id: string, status: KnownStatus): Promise<void> {
    this.#db.statement(updateStatus).run({ ...status, id, detail: status.detail ?? null });
  }

  async markRemoved(id: string, at: number, isByUser: boolean): Promise<void> {
    this.#db.statement(updateRemoved).run(at, isByUser ? 1 : 0, id);
  }

  async markInboxSettled(id: string): Promise<void> {
    this.#db.statement(updateSettled).run(id);
  }

  async listUnsettled(): Promise<readonly Agent[]> {
    return (this.#db.statement(selectUnsettled).all() as AgentRow[]).map(toAgent);
  }

  async listForgettable(before: number): Promise<readonly string[]> {
    return listForgettable(this.#db, before);
  }

  async forget(id: string): Promise<void> {
    forgetAgent(this.#db, id);
  }

  #one(sql: string, key: string): Agent | undefined {
    const row = this.#db.statement(sql).get(key) as AgentRow | undefined;
    return row && toAgent(row);
  }
}

const insertAgent = `
  insert into agents (id, name, session, provider, backend, epoch, status, detail, source, since, parent, notify, cwd,
    created_at, role, worktree)
  values (@id, @name, @session, @provider, @backend, @epoch, @status, @detail, @source, @since, @parent, @notify, @cwd,
    @createdAt, @role, @worktree)
  on conflict (name) where removed_at is null do nothing`;
const selectById = 'select * from agents where id = ?';
const selectIsLiving = 'select 1 from agents where id = ? and removed_at is null';
const selectByName = 'select * from agents where name = ? and removed_at is null';
const selectLiving = `
  select * from agents where removed_at is null and (@session is null or session = @session) order by name`;
const selectChildren =
  'select * from agents where parent = ? and removed_at is null order by created_at, id';
const selectUnsettled = 'select * from agents where removed_at is not null and inbox_settled = 0';
const updateParent = 'update agents set parent = ? where id = ?';
const updateWorktree = 'update agents set worktree = @worktree, cwd = @cwd where id = @id';
const updateEpoch = 'update agents set epoch = ? where id = ?';
const updateStatus = `
  update agents set status = @status, detail = @detail, source = @source, since = @since where id = @id`;
const updateRemoved =
  'update agents set removed_at = ?, removed_by_user = ? where id = ? and removed_at is null';
const updateSettled = 'update agents set inbox_settled = 1 where id = ?';
